import SystemPackage
import TestSupport
import Testing

/// Text from untrusted files: names, and notes of failures.
@Suite("Untrusted text cannot control the terminal")
struct TerminalSafetyTests {
  private static let payloads = [
    "a\u{1B}[31mb", "a\u{1B}]52;c;Zm9v\u{7}b", "a\nd forged line f", "a\u{202E}b", "a\u{9B}2Jb", "a\rb",
    "a\u{7F}\u{8}b",
  ]

  private func expectHarmless(_ result: ProgramResult, _ what: String) {
    HostileDecoderTests.expectHarmless(result.output + Array(result.errorOutput.utf8), what)
  }

  @Test("Control characters in a planted note are escaped", .enabled(if: Scope.isFull), arguments: payloads)
  func plantedNote(_ payload: String) async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "c/a.mp4")
    // A gallery's covers have this size, and a note is for one request.
    _ = try await BatchRun(["--size", "480", "c"], in: scratch.path)
    let note = String(decoding: try ScratchFolder.read(scratch("c/.a.mp4.failed.json")), as: UTF8.self)
    let escaped = payload.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
    let planted = note.replacing("no video stream (1 audio stream)", with: escaped)
    try #require(planted != note)
    try scratch.write(planted.utf8, as: "c/.a.mp4.failed.json")
    for options in [[], ["--strict"], ["--json"], ["--gallery", "-"]] {
      let result = try await Program.run("clipcanvas", ["batch", "--size", "480"] + options + ["c"], in: scratch.path)
      // The clip is a known failure.
      let status = options == ["--strict"] ? 1 : 0
      #expect(result.exitStatus == status && (result.text + result.errorOutput).contains("a"))
      expectHarmless(result, "\(options)")
    }
    #expect(try await BatchRun(["--size", "480", "c"], in: scratch.path).summary?.known == 1, "the note is believed")
  }

  @Test("A note that is too long is ignored and left alone")
  func longNote() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "c/a.mp4")
    _ = try await BatchRun(["c"], in: scratch.path)
    let note = String(decoding: try ScratchFolder.read(scratch("c/.a.mp4.failed.json")), as: UTF8.self)
    for count in [2000, 200_000] {
      let long = note.replacing("no video stream", with: String(repeating: "x", count: count))
      try scratch.write(long.utf8, as: "c/.a.mp4.failed.json")
      let run = try await BatchRun(["c"], in: scratch.path)
      #expect(run.summary?.known == 0 && run.result.output.count < 10_000)
      #expect(try ScratchFolder.read(scratch("c/.a.mp4.failed.json")) == Array(long.utf8))
    }
  }

  @Test(
    "Control characters in file names and arguments are escaped",
    .enabled(if: Scope.isFull),
    arguments: payloads,
    ["", "-", "--"]
  )
  func names(_ payload: String, _ start: String) async throws {
    let scratch = try ScratchFolder()
    let name = start + payload + ".mp4"
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: name)
    for arguments in [
      ["cover", name], ["cover", "./" + name], ["cover", "--json", "./" + name], ["batch", "."],
      ["batch", "--json", "."],
      ["probe", "./" + name], ["probe", "--json", "./" + name], [name],
      ["cover", "-o", name + "/x/y.png", "./" + name],
      ["batch", "--report", "no/" + name, "."], ["show", "--board", name], ["tap", name],
    ] {
      expectHarmless(try await Program.run("clipcanvas", arguments, in: scratch.path), "\(arguments)")
    }
  }
}
