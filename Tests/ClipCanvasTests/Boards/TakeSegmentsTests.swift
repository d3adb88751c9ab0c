import SystemPackage
import TestSupport
import Testing

/// Takes whose segments are joined.
@Suite("clipcanvas board record finish --segments")
struct TakeSegmentsTests {
  let scratch: ScratchFolder

  init() async throws {
    scratch = try ScratchFolder()
    for name in ["a.mkv", "b.mkv"] { try scratch.copy(ProjectFolder.fixture("h264.mkv"), as: name) }
    for words in [["new", "--grid", "2x1"], ["tap", "c1"], ["record", "start", "--take", "t1"]] {
      let result = try await board(words)
      try #require(result.exitStatus == 0, "\(result.errorOutput)")
    }
  }

  private func board(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["board"] + arguments, in: scratch.path)
  }

  private func finish(_ arguments: [String]) async throws -> ProgramResult {
    try await board(["record", "finish"] + arguments)
  }

  @Test("The segments become one clip named after the take, with a cover", .enabled(if: Scope.isFull))
  func joined() async throws {
    #expect(try await board(["record", "stop"]).exitStatus == 0)
    let result = try await finish(["--segments", "a.mkv", "b.mkv"])
    #expect(result.exitStatus == 0 && result.text.contains("c1 clip: none → t1.mkv"), "\(result)")
    #expect(result.text.contains("c1 cover: pending → "))
    let frames = try await RemuxedVideo(path: scratch("t1.mkv")).frames().map(\.hash)
    let segment = try await RemuxedVideo(path: scratch("a.mkv")).frames().map(\.hash)
    #expect(frames == segment + segment)
    #expect(try scratch.names().contains("a.mkv") && scratch.names().contains("b.mkv"))
  }

  @Test("The joined file stays if the board has it, although the decoder for its cover does not start")
  func withoutCover() async throws {
    #expect(try await board(["record", "stop"]).exitStatus == 0)
    let script = """
      #!/bin/sh
      mkdir '\(scratch("started"))' 2>&- || exit 1
      exec '\(ProjectFolder.program("clipcanvas-decoder"))' "$@"
      """
    let decoder = try scratch.write(script.utf8, as: "decoder")
    try #require(try await Program.runTool("chmod", ["755", decoder.string]).exitStatus == 0)
    let result = try await Program.run(
      "clipcanvas",
      ["board", "record", "finish", "--segments", "a.mkv", "b.mkv"],
      in: scratch.path,
      environment: ["CLIPCANVAS_DECODER": decoder.string]
    )
    #expect(result.exitStatus == 2 && result.text.contains("c1 clip: none → t1.mkv"), "\(result)")
    #expect(try scratch.names().contains("t1.mkv"))
  }

  @Test("The name of a take cannot lead to another folder")
  func slashes() async throws {
    #expect(try await board(["record", "discard"]).exitStatus == 0)
    for words in [["record", "start", "--take", "../../t/2"], ["record", "stop"]] {
      let result = try await board(words)
      try #require(result.exitStatus == 0, "\(result.errorOutput)\(result.text)")
    }
    let result = try await finish(["--segments", "a.mkv", "b.mkv", "--no-cover"])
    #expect(result.exitStatus == 0 && result.text.contains("c1 clip: none → ______t_2.mkv"), "\(result)")
    #expect(try scratch.names().contains("______t_2.mkv"))
  }

  @Test("--clip names the joined file, whose extension decides the container")
  func named() async throws {
    #expect(try await board(["record", "stop"]).exitStatus == 0)
    let result = try await finish(["--segments", "a.mkv", "b.mkv", "--clip", "take.mp4", "--no-cover"])
    #expect(result.exitStatus == 0 && result.text.contains("c1 clip: none → take.mp4"), "\(result.errorOutput)")
    #expect(try ScratchFolder.read(scratch("take.mp4"))[4..<8] == Array("ftyp".utf8)[...])
  }

  @Test("The loss of a part of a segment is reported")
  func cut() async throws {
    #expect(try await board(["record", "stop"]).exitStatus == 0)
    let bytes = try ScratchFolder.read(scratch("b.mkv"))
    try scratch.write(bytes[..<(bytes.count / 2)], as: "cut.mkv")
    let result = try await finish(["--segments", "a.mkv", "cut.mkv", "--no-cover"])
    #expect(result.exitStatus == 0 && result.text.contains("c1 clip: none → t1.mkv"), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("warning: cut.mkv: it is cut off or damaged after 0."))
  }

  @Test("What the board refuses, or cannot be joined, changes and writes nothing", .enabled(if: Scope.isFull))
  func refused() async throws {
    try scratch.copy(ProjectFolder.fixture("vp9.webm"), as: "c.webm")
    try scratch.write(Array("mine".utf8), as: "mine.mkv")
    func expect(_ arguments: [String], _ status: Int, _ message: String) async throws {
      let before = try FolderTree(below: scratch.path)
      let result = try await finish(arguments)
      #expect(result.exitStatus == status, "\(arguments): \(result.errorOutput)")
      #expect((result.errorOutput + result.text).contains(message), "\(arguments): \(result.errorOutput)")
      #expect(try FolderTree(below: scratch.path) == before)
    }
    // The recording has not been stopped.
    try await expect(["--segments", "a.mkv", "b.mkv"], 3, "refused")
    #expect(try await board(["record", "stop"]).exitStatus == 0)
    try await expect(["--segments", "a.mkv", "c.webm"], 2, "c.webm: cannot be joined to a.mkv: its ")
    try await expect(["--segments", "a.mkv", "none.mkv"], 2, "cannot join the segments: none.mkv: ")
    let taken = "mine.mkv exists and is not empty; name another file with --clip; the board was not changed"
    try await expect(["--segments", "a.mkv", "--clip", "mine.mkv"], 2, taken)
    try await expect(["--segments", "a.mkv", "--if-revision", "1"], 4, "not 1; nothing was changed")
    try await expect(["--segments", "a.mkv", "--clip", "x.avi"], 64, "x.avi: name a file that ends in")
    let usage = "\n       clipcanvas board record finish [<options>] --segments"
    try await expect(["--segments", "a.mkv", "--clip", "x.avi"], 64, usage)
    try await expect([], 64, "specify the clip with --clip")
    try await expect(["--segments", "a.mkv", "--take", "t9"], 3, "refused: another take is in progress")
  }
}
