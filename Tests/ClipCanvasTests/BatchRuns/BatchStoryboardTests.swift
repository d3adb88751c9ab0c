import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas batch --storyboard")
struct BatchStoryboardTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try FilePath.makeFolder(scratch("c/d"))
    for (clip, name) in [
      ("h264.mp4", "c/a.mp4"), ("vp9.webm", "c/d/b.webm"), ("sound-only.m4a", "c/s.mp4"),
      ("truncated-no-index.mp4", "c/t.mp4"),
    ] {
      try scratch.copy(ProjectFolder.fixture(clip), as: name)
    }
  }

  private func batch(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["batch"] + arguments + ["c"], in: scratch.path)
  }

  /// Returns all files below a folder.
  private func files(_ folder: String) async throws -> [String] {
    let found = try await Program.runTool("find", [".", "-type", "f", "-not", "-name", ".*"], in: scratch(folder))
    return found.text.split(separator: "\n").map(String.init).sorted()
  }

  private func summary(_ result: ProgramResult) -> String {
    result.text.split(separator: "\n").last.map { String($0.prefix { $0 != "\u{0}" }) } ?? ""
  }

  @Test("Each clip gets its storyboard beside its cover, and a second run keeps both")
  func both() async throws {
    let arguments = ["--storyboard", "--interval", "0.25s", "-o", "out"]
    let first = try await batch(arguments)
    #expect(first.exitStatus == 1)
    #expect(
      summary(first).hasPrefix(
        "4 clips: 2 covers made, 0 fresh, 1 incomplete, 1 failed; 2 storyboards made, 0 fresh, 0 incomplete, 0 failed; "
      )
    )
    #expect(first.text.contains("c/a.mp4 → out/c/a.mp4.storyboard  1 sheet, 4 tiles of 160×120\n"))
    #expect(
      try await files("out") == [
        "./c/a.mp4.png", "./c/a.mp4.storyboard/0.jpg", "./c/a.mp4.storyboard/storyboard.vtt", "./c/d/b.webm.png",
        "./c/d/b.webm.storyboard/0.jpg", "./c/d/b.webm.storyboard/storyboard.vtt",
      ]
    )
    let second = try await batch(arguments)
    #expect(
      summary(second).hasPrefix(
        "4 clips: 0 covers made, 2 fresh, 0 incomplete, 0 failed, 2 known failures skipped (--retry); "
          + "0 storyboards made, 2 fresh, 0 incomplete, 0 failed; "
      )
    )
  }

  @Test(
    "With --no-cover, there are only storyboards, and every clip without one is reported",
    .enabled(if: Scope.isFull)
  )
  func withoutCovers() async throws {
    let result = try await batch(["--storyboard", "--no-cover", "--layout", "jellyfin", "-j1"])
    #expect(result.exitStatus == 1)
    #expect(
      summary(result).hasPrefix("4 clips: 2 storyboards made, 0 fresh, 1 incomplete, 1 failed; "),
      "\(result.text)"
    )
    #expect(result.errorOutput.contains("c/s.mp4: no video stream"))
    #expect(
      try await files("c") == [
        "./a.mp4", "./a.trickplay/160 - 10x10/0.jpg", "./d/b.trickplay/160 - 10x10/0.jpg", "./d/b.webm", "./s.mp4",
        "./t.mp4",
      ]
    )
  }

  @Test(
    "Decoders that work in one folder do not take each other's new storyboards for leftovers",
    .enabled(if: Scope.isFull)
  )
  func parallel() async throws {
    for number in 1...6 { try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "c/d/\(number).mp4") }
    // Between its creation and its lock, every new folder is left alone for a fifth of a second.
    let result = try await Program.runTool(
      "strace",
      ["-f", "-qq", "-o", "/dev/null", "-e", "trace=mkdirat", "-e", "inject=mkdirat:delay_exit=200000"]
        + [
          ProjectFolder.program("clipcanvas").string, "batch", "--storyboard", "--no-cover", "-j2", "-o", "out", "c/d",
        ],
      in: scratch.path
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(summary(result).hasPrefix("7 clips: 7 storyboards made, 0 fresh, 0 incomplete, 0 failed; "))
    #expect(try !ScratchFolder.names(in: scratch("out/d")).contains { $0.hasPrefix(".") })
  }

  @Test("The report has an object for each storyboard, and the summary counts them")
  func json() async throws {
    struct Record: Decodable {
      struct Summary: Decodable {
        struct Storyboards: Decodable, Equatable { var made, fresh, failed: Int }
        var covers: Int
        var storyboards: Storyboards?
      }
      var status: String?
      var storyboard: String?
      var cover: String?
      var summary: Summary?
    }
    func records(_ arguments: [String]) async throws -> [Record] {
      try await batch(["--json"] + arguments).text.split(separator: "\n").map {
        try JSONDecoder().decode(Record.self, from: Data($0.utf8))
      }
    }
    let records = try await records(["--storyboard"])
    #expect(
      records.compactMap(\.storyboard).sorted() == ["c/a.mp4.storyboard", "c/d/b.webm.storyboard"]
    )
    #expect(records.compactMap(\.cover).sorted() == ["c/a.mp4.png", "c/d/b.webm.png"])
    #expect(records.last?.summary?.storyboards == .init(made: 2, fresh: 0, failed: 0))
    #expect(try await batch(["--json"]).text.contains("storyboards") == false)
  }

  @Test(
    "Options that contradict each other are refused",
    .enabled(if: Scope.isFull),
    arguments: [
      (["--no-cover"], "'--no-cover' leaves nothing to do: add '--storyboard'"),
      (["--no-cover", "--storyboard", "--gallery", "g.html"], "'--gallery' shows covers: leave out '--no-cover'"),
      (["--freedesktop", "--storyboard"], "'--freedesktop' cannot be combined with '--storyboard'"),
    ]
  )
  func usage(_ arguments: [String], _ words: String) async throws {
    let result = try await batch(arguments)
    #expect(result.exitStatus == 64 && result.errorOutput.contains(words), "\(result.errorOutput)")
  }
}
