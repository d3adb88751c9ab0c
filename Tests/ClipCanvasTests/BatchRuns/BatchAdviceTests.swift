import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas batch advises what helps")
struct BatchAdviceTests {
  @Test("A pipe at the place of a picture is named with advice that a batch can follow")
  func pipe() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    for name in ["a.mp4.png", "a.mp4.sheet.png", "a.mp4.storyboard"] {
      try #require(mkfifo(scratch(name).string, 0o600) == 0)
    }
    let options = [
      ["batch"], ["batch", "--no-cover", "--sheet"], ["batch", "--no-cover", "--storyboard"], ["storyboard"],
    ]
    for arguments in options {
      let result = try await Program.run("clipcanvas", arguments + ["a.mp4"], in: scratch.path)
      #expect(
        result.errorOutput.hasSuffix(
          " is a named pipe, not a regular file; move it away, or specify another folder with -o\n"
        ),
        "\(result.errorOutput)"
      )
    }
    let cover = try await Program.run("clipcanvas", ["cover", "a.mp4"], in: scratch.path)
    #expect(cover.errorOutput.hasSuffix("; use -o - and redirect standard output, or specify a regular file\n"))
  }

  @Test("Links that were not followed are counted, and --follow is not advised where it was given")
  func links() async throws {
    let scratch = try ScratchFolder()
    for folder in ["c", "c/d"] { try FilePath.makeFolder(scratch(folder)) }
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "c/a.mp4")
    func expect(_ words: String, _ options: [String]) async throws {
      let text = try await Program.run("clipcanvas", ["batch"] + options + ["c"], in: scratch.path).text
      #expect(text.contains(", 0 failed, \(words); "), "\(text)")
    }
    try #require(symlink(".", scratch("c/one").string) == 0)
    try await expect("1 link not followed (use --follow)", [])
    try await expect("1 link not followed (it forms a loop)", ["--follow"])
    try #require(symlink("..", scratch("c/d/two").string) == 0)
    try await expect("2 links not followed (use --follow)", [])
    try await expect("2 links not followed (they form loops)", ["--follow"])
  }

  @Test("The best frame is advised if many new covers are almost black")
  func blackCovers() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    for (number, name) in ["black.mp4", "black-start.mp4", "fade-in.mp4", "h264.mp4"].enumerated() {
      try scratch.copy(ProjectFolder.fixture(name), as: "c/\(number).mp4")
    }
    func lines(_ options: [String]) async throws -> String {
      try await Program.run("clipcanvas", ["batch", "c"] + options, in: scratch.path).errorOutput
    }
    #expect(try await lines(["--quiet"]) == "")
    #expect(try await lines([]) == "", "fresh covers do not count")
    let advice = "3 of 4 covers are almost black; --at best chooses frames with more to see\n"
    #expect(try await lines(["--force"]) == advice)
    #expect(try await lines(["--force", "--json"]) == "")
    #expect(try await lines(["--at", "best"]) == "")
    try ScratchFolder.remove(scratch("c/0.mp4"))
    #expect(try await lines(["--force"]) == "", "two are not many")
  }

  @Test("Artwork is advised only where a picture can be made of it", .enabled(if: Scope.isFull))
  func artwork() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("artwork-only.m4a"), as: "a.m4a")
    func problems(_ arguments: [String]) async throws -> String {
      try await Program.run("clipcanvas", arguments + ["a.m4a"], in: scratch.path).errorOutput
    }
    let problem = "a.m4a: no video stream (1 audio stream and artwork); use "
    #expect(try await problems(["batch"]) == problem + "its artwork with --embedded fallback\n")
    let all = ["batch", "--embedded", "fallback", "--storyboard", "--sheet", "--animate"]
    #expect(try await problems(all) == String(repeating: problem + "a clip with video\n", count: 3))
    for command in ["storyboard", "sheet", "animate"] {
      #expect(try await problems([command]) == problem + "a clip with video\n")
    }
  }
}
