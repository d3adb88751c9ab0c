import SystemPackage
import TestSupport
import Testing

/// Attacks on a canary file and a port that must not be reached, observed with strace.
@Suite("A clip that refers to other files or hosts cannot reach them")
struct ReferencesTests {
  /// The accesses of a run.
  struct Reached: Equatable {
    var canaryOpened = false
    var connections = 0
    /// System calls that tried to open the canary or to connect, successful or not.
    var attempts: [String] = []
  }

  /// Runs a program under strace.
  private func reached(
    by program: String,
    _ arguments: [String],
    attacks: AttackFiles,
    listener: LoopbackListener
  ) async throws -> Reached {
    let trace = attacks.folder("trace")
    _ = try await Program.runTool(
      "strace",
      ["-f", "-qq", "-s", "4096", "-o", trace.string, "-e", "trace=open,openat,openat2,connect"]
        + [ProjectFolder.program(program).string] + arguments,
      in: attacks.folder.path
    )
    let lines = String(decoding: try ScratchFolder.read(trace), as: UTF8.self).split(separator: "\n")
    let attempts = lines.filter { $0.contains(attacks.canary.string) || $0.contains("AF_INET") }.map(String.init)
    return Reached(
      canaryOpened: attempts.contains { $0.contains(attacks.canary.string) && !$0.contains(" = -1 ") },
      connections: await listener.stop(),
      attempts: attempts
    )
  }

  private func reached(_ attack: AttackFiles.Attack, _ lock: String) async throws -> Reached {
    let listener = try LoopbackListener()
    let attacks = try AttackFiles(port: listener.port)
    let name = try attacks.make(attack)
    let way = attack.way == .clip ? "clip" : "name"
    return try await reached(by: "unguarded-reader", [lock, way, name], attacks: attacks, listener: listener)
  }

  @Test(
    "clipcanvas does not even try to follow a reference",
    .enabled(if: Scope.isFull),
    arguments: AttackFiles.attacks.filter { $0.way == .clip }
  )
  func guarded(_ attack: AttackFiles.Attack) async throws {
    let listener = try LoopbackListener()
    let attacks = try AttackFiles(port: listener.port)
    let arguments = ["cover", "--force", "-o", "cover.png", try attacks.make(attack)]
    let reached = try await reached(by: "clipcanvas", arguments, attacks: attacks, listener: listener)
    #expect(reached == Reached())
    #expect(try !attacks.folder.names().contains("cover.png"))
  }

  // The control for the next test: the attacks work with an unrestricted FFmpeg.
  @Test("An unrestricted FFmpeg follows every reference", .enabled(if: Scope.isFull), arguments: AttackFiles.attacks)
  func control(_ attack: AttackFiles.Attack) async throws {
    let reached = try await reached(attack, "free")
    #expect(attack.usesNetwork ? reached.connections > 0 : reached.canaryOpened, "\(reached)")
  }

  @Test(
    "An unrestricted FFmpeg in the sandbox reaches nothing",
    .enabled(if: Scope.isFull),
    arguments: AttackFiles.attacks
  )
  func locked(_ attack: AttackFiles.Attack) async throws {
    let reached = try await reached(attack, "locked")
    #expect(!reached.canaryOpened && reached.connections == 0, "\(reached)")
    // FFmpeg did try, so it was the sandbox that denied access.
    #expect(attack.usesNetwork || !reached.attempts.isEmpty, "\(reached)")
  }

  /// Names that FFmpeg would not take for a file name.
  static let oddNames = [
    "concat:canary.ts|b.mp4", "-x.mp4", "a%03d.mp4", "pipe:0", "subfile,,start,0,end,64,,:canary.ts", "file:canary.ts",
    "crypto:canary.ts", "data:video,x", "cache:canary.ts", "http:canary.ts", "fd:", "clip 13:19:57.webm",
  ]

  @Test(
    "A name that looks like a protocol, a pattern or an option is a file name",
    .enabled(if: Scope.isFull),
    arguments: oddNames
  )
  func names(_ name: String) async throws {
    let listener = try LoopbackListener()
    let attacks = try AttackFiles(port: listener.port)
    try attacks.folder.copy(ProjectFolder.fixture("1080p.mp4"), as: name)
    try attacks.folder.copy(ProjectFolder.fixture("h264.ts"), as: "a001.mp4")
    let arguments = ["cover", "-o", "cover.png", "--", name]
    let reached = try await reached(by: "clipcanvas", arguments, attacks: attacks, listener: listener)
    #expect(reached == Reached())
    // The clip's pictures differ in size from the canary's.
    let cover = try await Oracle.pixels(ofPNG: attacks.folder("cover.png"), hasAlpha: false)
    #expect(cover.width == 1920 && cover.height == 1080)
  }
}
