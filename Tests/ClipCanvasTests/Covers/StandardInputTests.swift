import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("A clip on standard input")
struct StandardInputTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Runs a shell command in the scratch folder; `clipcanvas` is the program.
  private func shell(_ command: String, environment: [String: String] = [:]) async throws -> ProgramResult {
    let variables = environment.map { "export \($0)='\($1)'\n" }.joined()
    let function = "clipcanvas() { '\(ProjectFolder.program("clipcanvas"))' \"$@\"; }\n"
    return try await Program.runTool("sh", ["-c", variables + function + command], in: scratch.path)
  }

  /// The pixels of a picture, decoded by ffmpeg.
  private func pixels(_ picture: String) async throws -> [UInt8] {
    try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-i", scratch(picture).string, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    ).output
  }

  // MP4 with its index at the end, a container that needs no seeking, and a container that is searched from its end.
  @Test(
    "A clip from a pipe or a file has the cover that it has as a file",
    arguments: ["h264.mp4", "vp9.webm", "mpeg2.ts"]
  )
  func pipe(_ fixture: String) async throws {
    let clip = ProjectFolder.fixture(fixture)
    let result = try await shell(
      """
      clipcanvas cover -o file.png '\(clip)' && cat '\(clip)' | clipcanvas cover -o pipe.png - &&
      clipcanvas cover -o redirected.png - < '\(clip)' && cat '\(clip)' | clipcanvas cover -o - - > out.png
      """
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(result.text.contains("- → pipe.png  "), "\(result.text)")
    let expected = try await pixels("file.png")
    for picture in ["pipe.png", "redirected.png", "out.png"] { #expect(try await pixels(picture) == expected) }
    let texts = String(decoding: try ScratchFolder.read(scratch("pipe.png")), as: Unicode.ASCII.self)
    #expect(!texts.contains("Thumb::URI") && !texts.contains("Thumb::MTime") && texts.contains("Thumb::Size"))
  }

  @Test(
    "A clip from a pipe or a file has the facts that it has by its name",
    .enabled(if: Scope.isFull),
    arguments: ["h264.mp4", "mpeg2.ts"]
  )
  func probed(_ fixture: String) async throws {
    let clip = ProjectFolder.fixture(fixture)
    for input in ["cat '\(clip)' | clipcanvas probe -", "clipcanvas probe - < '\(clip)'"] {
      let named = "clipcanvas probe '\(clip)' | tail -n +2 > file"
      let compared = "tail -n +2 input | cmp - file && head -1 input"
      let result = try await shell("\(named) && { \(input); } > input && \(compared)")
      #expect(result.exitStatus == 0 && result.text == "-\n", "\(result.errorOutput)\(result.text)")
    }
    let json = try await shell("cat '\(clip)' | clipcanvas probe --json - | jq -c '[.clip, .status]'")
    #expect(json.text == #"[{"path":"-"},"facts"]"# + "\n", "\(json.text)")
    let failed = try await shell("echo text | clipcanvas probe -")
    #expect(failed.exitStatus == 1 && failed.errorOutput.hasPrefix("-: its content is not a recognised video format"))
    let missing = try await shell("echo text | clipcanvas probe --json -", environment: ["TMPDIR": "/missing"])
    #expect(missing.exitStatus == 1 && missing.text.contains("cannot store standard input in /missing"))
  }

  @Test("A contact sheet and an animation of a clip from a pipe are those of the file", .enabled(if: Scope.isFull))
  func pictures() async throws {
    let clip = ProjectFolder.fixture("h264.mp4")
    let result = try await shell(
      """
      clipcanvas sheet --no-header -o file.png '\(clip)' && cat '\(clip)' | clipcanvas sheet --no-header -o pipe.png - &&
      cat '\(clip)' | clipcanvas sheet -o header.png - &&
      clipcanvas animate -o file.gif '\(clip)' && cat '\(clip)' | clipcanvas animate -o pipe.gif -
      """
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    for (pipe, file) in [("pipe.png", "file.png"), ("pipe.gif", "file.gif")] {
      let (wanted, found) = (try await pixels(file), try await pixels(pipe))
      #expect(found == wanted, "\(pipe)")
    }
    let (plain, withHeader) = (try await pixels("pipe.png"), try await pixels("header.png"))
    #expect(withHeader.count > plain.count)
  }

  @Test("Each run makes the cover again, since another clip may have the same size, and spares other files")
  func again() async throws {
    for (name, colour) in [("a", "red"), ("b", "blue")] {
      _ = try await Program.runTool(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "color=\(colour):s=32x32:d=0.2", "-c:v", "rawvideo", "\(name).avi"],
        in: scratch.path
      )
    }
    let sizes = try await shell("stat -c %s a.avi b.avi | uniq | wc -l")
    #expect(sizes.text == "1\n")
    for name in ["a", "b"] { #expect(try await shell("cat \(name).avi | clipcanvas cover -o x.png -").exitStatus == 0) }
    let pixel = try await pixels("x.png").prefix(3)
    #expect(pixel.last.map { $0 > 200 } == true && pixel.first.map { $0 < 50 } == true, "the second clip is blue")
    try scratch.write(Array("mine".utf8), as: "mine.png")
    let refused = try await shell("cat a.avi | clipcanvas cover --json -o mine.png -")
    #expect(refused.exitStatus == 1 && refused.text.contains(#""reason":"outputExists""#), "\(refused.text)")
    #expect(try ScratchFolder.read(scratch("mine.png")) == Array("mine".utf8))
  }

  @Test("What is not a clip, or does not fit, is reported, and no file remains")
  func failures() async throws {
    #expect(try await shell("echo text | clipcanvas cover -o x.png -").errorOutput.hasPrefix("-: "))
    #expect(
      try await shell("clipcanvas cover -o x.png - < /dev/null").errorOutput == "-: the file is empty (0 bytes)\n"
    )
    let missing = try await shell("echo text | clipcanvas cover -o x.png -", environment: ["TMPDIR": "/missing"])
    #expect(
      missing.errorOutput
        == "-: cannot store standard input in /missing: no such file or directory; set TMPDIR to a folder with room for the "
        + "clip, or save the clip to a file first\n"
    )
    #expect(missing.exitStatus == 1)
    #expect(try scratch.names().isEmpty)
  }

  @Test("A full disk is named, with the way out", .enabled(if: geteuid() == 0, "mounting a file system takes root"))
  func fullDisk() async throws {
    try FilePath.makeFolder(scratch("disk"))
    try #require(Glibc.mount("clipcanvas-test", scratch("disk").string, "tmpfs", 0, "size=64k") == 0)
    defer { umount2(scratch("disk").string, Int32(MNT_DETACH)) }
    let command = "head -c 1000000 /dev/zero | clipcanvas cover --json -o x.png -"
    let result = try await shell(command, environment: ["TMPDIR": scratch("disk").string])
    #expect(result.exitStatus == 1)
    #expect(result.text.contains("cannot store standard input in \(scratch("disk")): no space left on device"))
    #expect(try ScratchFolder.names(in: scratch("disk")).isEmpty)
  }

  static let contradictions = [
    ("cover -", "a clip on standard input has no name: name the file for its cover with '-o'"),
    ("cover -o folder/ -", "a clip on standard input has no name: name the file for its cover with '-o'"),
    ("cover -o x/ - a.mp4", "'-' stands for a single clip on standard input, which gets one cover: use it alone"),
    ("sheet -", "a clip on standard input has no name: name the file for its contact sheet with '-o'"),
    ("animate -", "a clip on standard input has no name: name the file for its animation with '-o'"),
    ("animate -o x/ - a.mp4", "'-' stands for a single clip on standard input, which gets one animation: use it alone"),
    ("storyboard -", "a clip on standard input has no name for its storyboard: save it to a file first"),
    ("storyboard -o x -", "a clip on standard input has no name for its storyboard: save it to a file first"),
    ("probe - a.mp4", "'-' stands for a single clip on standard input: use it alone"),
    ("cover --at 1,2 -o x/ -", "'-' stands for a single clip on standard input, which gets one cover: use it alone"),
  ]

  @Test("A clip without a name needs a place", .enabled(if: Scope.isFull), arguments: contradictions)
  func usage(_ command: String, _ message: String) async throws {
    let result = try await shell("echo | clipcanvas " + command)
    #expect(
      result.exitStatus == 64 && result.errorOutput.hasPrefix("clipcanvas: \(message)\n"),
      "\(result.errorOutput)"
    )
  }
}
