import DecoderWire
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// A composer under an attacker's control that copies clips, in the same sandbox as the real one: it gains neither
/// time, disk space nor threads, and ends with its parent.
@Suite("A composer under an attacker's control copies a clip", .ownThread)
struct HostileComposerTests {
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
  }

  private func start(_ attack: String) throws -> RunningProgram {
    let composer = try TestDecoder.faulty(["composerAttack": attack], in: scratch, as: "composer")
    return try RunningProgram(
      "clipcanvas",
      ["remux", "a.mp4", "-o", "b.mp4", "--force", "--timeout", "1"],
      scratch: scratch,
      environment: ["CLIPCANVAS_COMPOSER": composer.string]
    )
  }

  /// The attacks, and what is reported.
  static let attacks: [(attack: String, message: String)] = [
    ("repeatsProgress", "the composer sent an invalid reply (implausible progress)"),
    ("lowersProgress", "the composer sent an invalid reply (implausible progress)"),
    // The clip has 20 kB, so nothing but the last reply is honest.
    ("creepsForward", "the composer did not finish within 4 seconds and was stopped; allow more time with --timeout"),
    ("floodsProgress", "the composer did not finish within 4 seconds and was stopped; allow more time with --timeout"),
    ("growsFile", "the composer wrote more than its clips can result in and was stopped"),
    ("absurdProgress", "the composer sent an invalid reply (a reply that is too large)"),
    ("absurdFacts", "the composer sent an invalid reply (a reply that is too large)"),
  ]

  @Test(
    "Each attack is reported, and the old file stays",
    .enabled(if: Scope.isFull),
    arguments: Scope.cases(attacks, quick: 2)
  )
  func reported(_ attack: (attack: String, message: String)) async throws {
    try scratch.write(Array("old".utf8), as: "b.mp4")
    let program = try start(attack.attack)
    let result = try await program.end(within: .seconds(60))
    #expect(result.exitStatus == 1, "\(result.errorOutput)")
    #expect(result.errorOutput == "a.mp4: \(attack.message)\n")
    #expect(try ScratchFolder.read(scratch("b.mp4")) == Array("old".utf8))
    #expect(try scratch.names().filter { $0.hasPrefix(".") } == [])
    #expect(program.children().isEmpty)
  }

  @Test("A file cannot grow far beyond the clips, even if the parent does not look", .enabled(if: Scope.isFull))
  func fileLimit() async throws {
    let program = try start("growsFileUnseen")
    try await eventually("its composer has the clip") {
      program.children(running: "composer").contains { child in
        RunningProgram.openFiles(of: child).contains { $0.hasSuffix("/a.mp4") }
      }
    }
    program.send(SIGSTOP)
    try #require(chmod(scratch("a.mp4").string, 0) == 0)
    // 64 MiB, 16 times and 1024 times the clip, and 1 MiB where the parent detects the excess.
    let clip = try ScratchFolder.read(scratch("a.mp4")).count
    let most = 65 << 20 + (16 + 1024) * clip
    func written() -> Int {
      program.children().flatMap { child in
        ((try? ScratchFolder.names(in: FilePath("/proc/\(child)/fd"))) ?? []).map { name in
          var status = stat()
          let file = "/proc/\(child)/fd/\(name)"
          return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
        }
      }.max() ?? 0
    }
    try await eventually("it has written all it can") { written() >= most }
    try await pause(.milliseconds(200))
    #expect(written() == most)
    program.send(SIGCONT)
    #expect(try await program.end(within: .seconds(60)).errorOutput.contains("wrote more than its clips can result in"))
  }

  @Test("Threads are counted, also those of a process whose first thread has ended", arguments: ["starts", "hides"])
  func threads(_ attack: String) async throws {
    let result = try await start(attack + "Threads").end(within: .seconds(60))
    let words = result.errorOutput.split(separator: " ")
    #expect(result.exitStatus == 1 && result.errorOutput.hasPrefix("a.mp4: the composer started "))
    #expect(words.count > 4 && Int(words[4]) ?? 0 > 8 && result.errorOutput.hasSuffix(" threads and was stopped\n"))
  }

  @Test("An ordinary user's composer can start no thread", .enabled(if: geteuid() == 0, "takes root"))
  func threadLimit() async throws {
    guard try await DecoderUser.possible().count > 1 else { return }
    try FilePath.makeFolder(scratch("programs"))
    for name in ["clipcanvas", "clipcanvas-decoder", "faulty-decoder"] {
      _ = try await scratch.install(ProjectFolder.program(name), as: "programs/\(name)")
    }
    try scratch.write("composerAttack=startsThreads\n".utf8, as: "programs/faulty-decoder.settings")
    for path in [scratch.path, scratch("programs")] { #expect(chmod(path.string, 0o777) == 0) }
    #expect(chmod(scratch("programs/faulty-decoder.settings").string, 0o644) == 0)
    #expect(chmod(scratch("a.mp4").string, 0o644) == 0)
    let result = try await Program.runTool(
      "setpriv",
      ["--reuid=65534", "--regid=65534", "--clear-groups", "env"]
        + ["CLIPCANVAS_COMPOSER=\(scratch("programs/faulty-decoder"))", scratch("programs/clipcanvas").string]
        + ["remux", "a.mp4", "-o", "b.mp4", "--timeout", "1"],
      in: scratch.path
    )
    let message = "a.mp4: the composer did not reply within 1 second and was stopped; allow more time with --timeout\n"
    #expect(result.exitStatus == 1 && result.errorOutput == message, "\(result.errorOutput)")
  }

  @Test(
    "A process that an attacker controls ends with its parent",
    .enabled(if: Scope.isFull),
    arguments: ["composer", "decoder"]
  )
  func outlivesParent(_ program: String) async throws {
    let isComposer = program == "composer"
    let settings = [isComposer ? "composerAttack" : "attack": "outlivesParent"]
    let hostile = try TestDecoder.faulty(settings, in: scratch, as: program)
    let parent = try RunningProgram(
      "clipcanvas",
      (isComposer ? ["remux", "a.mp4", "-o", "b.mp4"] : ["cover", "a.mp4"]) + ["--timeout", "60"],
      scratch: scratch,
      environment: ["CLIPCANVAS_\(program.uppercased())": hostile.string]
    )
    try await eventually("the \(program) has received its request") {
      parent.children(running: program).contains { child in
        RunningProgram.openFiles(of: child).contains { $0.hasSuffix("/a.mp4") }
      }
    }
    let child = try #require(parent.children(running: program).first)
    parent.send(SIGKILL)
    #expect(try await parent.end().exitStatus == 128 + Int(SIGKILL))
    try await eventually("the \(program) ends") { !ProcessStatus.isRunning(child) }
  }
}
