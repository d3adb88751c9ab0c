import SystemPackage
import TestSupport
import Testing

/// How the parent handles a decoder whose sandbox is incomplete; strace makes the kernel refuse parts of it.
@Suite("Incomplete sandbox")
struct SandboxModeTests {
  /// A kernel that lacks part of the sandbox.
  struct Lack: CustomTestStringConvertible, Sendable {
    let part: String
    let injections: [String]
    let reason: String

    var testDescription: String { "without \(part)" }
  }

  static let lacks = [
    Lack(
      part: "landlock",
      injections: ["landlock_create_ruleset:error=ENOSYS"],
      reason: "asking the kernel for Landlock gives ENOSYS"
    ),
    Lack(
      part: "landlock",
      injections: ["landlock_create_ruleset:error=EOPNOTSUPP"],
      reason: "asking the kernel for Landlock gives EOPNOTSUPP"
    ),
    Lack(part: "seccomp", injections: ["seccomp:error=EINVAL"], reason: "gives EINVAL"),
    Lack(part: "capabilities", injections: ["capset:error=EPERM"], reason: "capset gives EPERM"),
    // The kernel reports success, but the part has no effect.
    Lack(
      part: "landlock",
      injections: ["landlock_restrict_self:retval=0"],
      reason: "it was applied, but a folder can still be opened"
    ),
  ]

  private func run(_ injections: [String], _ arguments: [String]) async throws -> ProgramResult {
    try await Program.runTool(
      "strace",
      ["-f", "-qq", "-o", "/dev/null"] + injections.flatMap { ["-e", "inject=" + $0] }
        + [ProjectFolder.program("clipcanvas").string] + arguments
    )
  }

  private static let clips = ["h264.mp4", "h264.ts"].map { ProjectFolder.fixture($0).string }

  @Test("A missing part is reported once per run, and the covers are made", arguments: lacks)
  func auto(_ lack: Lack) async throws {
    let scratch = try ScratchFolder()
    let result = try await run(lack.injections, ["cover", "-o", scratch("covers").string + "/"] + Self.clips)
    #expect(result.exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("covers")) == ["h264.mp4.png", "h264.ts.png"])
    let lines = result.errorOutput.split(separator: "\n")
    #expect(lines.count == 1, "\(result.errorOutput)")
    #expect(lines.first?.hasPrefix("clipcanvas: the decoder's sandbox is incomplete: ") == true)
    #expect(lines.first?.contains(lack.part + " (") == true && lines.first?.contains(lack.reason) == true)
  }

  @Test(
    "Without both Landlock and seccomp the run ends",
    .enabled(if: Scope.isFull),
    arguments: ["cover", "probe", "batch"]
  )
  func neither(_ command: String) async throws {
    let scratch = try ScratchFolder()
    let injections = ["landlock_create_ruleset:error=ENOSYS", "seccomp:error=EINVAL"]
    let place = command == "probe" ? [] : ["-o", scratch("covers").string + "/"]
    let result = try await run(injections, [command] + place + Self.clips)
    #expect(result.exitStatus == 2 && result.text.isEmpty)
    let start = "clipcanvas: the decoder cannot be sandboxed: missing landlock ("
    #expect(result.errorOutput.hasPrefix(start), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("seccomp (") && result.errorOutput.contains("--sandbox off"))
    let covers = ProjectFolder.isThere(scratch("covers")) ? try FolderTree(below: scratch("covers")).paths : []
    #expect(covers == [])
    let off = try await run(injections, [command, "--sandbox", "off"] + place + Self.clips)
    #expect(off.exitStatus == 0 && off.errorOutput.isEmpty)
  }

  // The first decoder is killed, and neither it nor its replacement has Landlock.
  @Test("A missing part is reported once for several decoders", .enabled(if: Scope.isFull))
  func once() async throws {
    let scratch = try ScratchFolder()
    let result = try await Program.runTool(
      "env",
      [
        "CLIPCANVAS_DECODER=" + (try TestDecoder.broken(by: "killed", in: scratch, missing: "landlock")).string,
        "strace", "-f", "-qq", "-o", scratch("trace").string, "-e", "inject=landlock_create_ruleset:error=ENOSYS",
        ProjectFolder.program("clipcanvas").string, "probe",
      ] + Self.clips
    )
    let lines = result.errorOutput.split(separator: "\n")
    #expect(lines.filter { $0.contains("sandbox is incomplete") }.count == 1, "\(result.errorOutput)")
    #expect(lines.contains { $0.contains("the decoder was killed by signal 9") })
    #expect(result.text.contains("h264.ts"))
    let trace = String(decoding: try ScratchFolder.read(scratch("trace")), as: UTF8.self)
    #expect(trace.contains("ENOSYS (Function not implemented) (INJECTED)"))
  }

  @Test(
    "`--sandbox require` ends the run with advice if a part is missing",
    .enabled(if: Scope.isFull),
    arguments: lacks,
    ["cover", "probe"]
  )
  func require(_ lack: Lack, _ command: String) async throws {
    let scratch = try ScratchFolder()
    let place = command == "cover" ? ["-o", scratch("covers").string + "/"] : []
    let result = try await run(lack.injections, [command, "--sandbox", "require"] + place + Self.clips)
    #expect(result.exitStatus == 2)
    #expect(result.text.isEmpty)
    #expect(result.errorOutput.contains("but --sandbox require was given: "))
    #expect(result.errorOutput.contains(lack.part + " (") && result.errorOutput.contains(lack.reason))
    #expect(result.errorOutput.contains("--sandbox auto to continue without it"))
    let names = ProjectFolder.isThere(scratch("covers")) ? try ScratchFolder.names(in: scratch("covers")) : []
    #expect(names == [])
  }

  @Test("--version shows a missing part")
  func version() async throws {
    let result = try await run(["landlock_create_ruleset:error=ENOSYS"], ["--version"])
    #expect(result.text.contains("\nsandbox without landlock (asking the kernel for Landlock gives ENOSYS)\n"))
  }

  @Test("`--sandbox off` reports nothing")
  func off() async throws {
    let result = try await Program.run("clipcanvas", ["probe", "--sandbox", "off"] + Self.clips)
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty)
  }

  @Test("An unknown mode is invalid usage")
  func wrongMode() async throws {
    let result = try await Program.run("clipcanvas", ["probe", "--sandbox", "loose"] + Self.clips)
    #expect(result.exitStatus == 64 && result.errorOutput.contains("require"))
  }
}
