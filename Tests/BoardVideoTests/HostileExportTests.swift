import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// A composer under an attacker's control that measures the clips of a board or composes their video, in the same
/// sandbox as the real one.
@Suite("A composer under an attacker's control exports a board", .ownThread)
struct HostileExportTests {
  /// The attacks, and what is reported.
  static let attacks: [(attack: String, message: String)] = [
    ("repeatsMeasures", "the composer sent an invalid reply (implausible progress)"),
    ("negativeSeconds", "the composer sent an invalid reply (a reply that is too large)"),
    ("manySeconds", "the composer sent an invalid reply (a reply that is too large)"),
    ("yearsOfSeconds", "the composer sent an invalid reply (a reply that is too large)"),
    ("manyPixels", "the composer sent an invalid reply (a reply that is too large)"),
    ("repeatsProgress", "the composer sent an invalid reply (implausible progress)"),
    ("lowersProgress", "the composer sent an invalid reply (implausible progress)"),
    // The video has 30 frames: after seven messages nothing is left to report.
    ("creepsForward", "the composer sent an invalid reply (implausible progress)"),
    ("floodsProgress", "the composer sent an invalid reply (implausible progress)"),
    ("growsFile", "the composer wrote more than its clips can result in and was stopped"),
    ("startsThreads", " threads and was stopped"), ("hidesThreads", " threads and was stopped"),
    ("absurdProgress", "the composer sent an invalid reply (a reply that is too large)"),
    ("absurdFacts", "the composer sent an invalid reply (a reply that is too large)"),
  ]

  @Test("Each attack is reported, and the old file stays", arguments: Scope.cases(attacks, quick: 2))
  func reported(_ attack: (attack: String, message: String)) async throws {
    let board = try await ExportBoard("--grid", "1x1")
    try await board.bring("a.mp4", to: "c1", video: "testsrc2=size=160x90:rate=30:duration=1")
    let composer = try TestDecoder.faulty(["composerAttack": attack.attack], in: board.scratch, as: "composer")
    try ScratchFolder.write(Array("old".utf8), to: board.scratch("out.mp4"))
    let output = try ScratchFolder()
    let before = try FolderTree(below: board.scratch.path)
    let program = try RunningProgram(
      "clipcanvas",
      ["board", "export", "-o", "out.mp4", "--size", "320x90", "--force", "--timeout", "1"],
      scratch: output,
      in: board.scratch.path,
      environment: ["CLIPCANVAS_BOARD": "", "CLIPCANVAS_COMPOSER": composer.string]
    )
    let result = try await program.end(within: .seconds(60))
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.hasSuffix(attack.message + "\n"), "\(result.errorOutput)")
    #expect(try FolderTree(below: board.scratch.path) == before)
  }
}
