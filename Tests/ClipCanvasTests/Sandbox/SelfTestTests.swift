import Glibc
import SystemPackage
import TestSupport
import Testing

/// `clipcanvas-decoder --self-test`, run by root and by an ordinary user.
///
/// The expected result of each trial is known independently of our code, because the kernel decides. The runs without
/// some or all parts of the sandbox prove that a trial can have another result.
@Suite("Self-test of the decoder's sandbox")
struct SelfTestTests {
  private static func selfTest(_ arguments: [String], as user: DecoderUser = .oneself) async throws -> ProgramResult {
    let scratch = try ScratchFolder()
    return try await Program.runTool("env", try await user.command(in: scratch) + arguments)
  }

  private static func lines(_ result: ProgramResult) -> [String] {
    result.text.split(separator: "\n").map(String.init)
  }

  /// Lines that the output must contain: trials and the error that denies each.
  private static let expected = [
    "denied open /etc/passwd (EPERM)", "denied look up /etc/passwd (EPERM)", "denied create a file in /tmp (EPERM)",
    "denied write through /proc/self (EPERM)", "denied open /proc/self/mem (EPERM)",
    "denied mount a file system (EPERM)", "denied make a UDP socket (EPERM)", "denied make a TCP socket (EPERM)",
    "denied make a Unix socket (EPERM)", "denied make a netlink socket (EPERM)",
    "denied connect an inherited TCP socket (EPERM)", "denied send over an inherited UDP socket (EPERM)",
    "denied run /bin/sh (EPERM)", "denied run a program that is already open (EPERM)", "denied fork (EPERM)",
    "denied fork by clone3 (EPERM)", "denied start a thread (EPERM)", "denied ignore a signal (EPERM)",
    "denied cancel its alarm (EPERM)", "denied outlive its parent (SIGKILL)",
    "denied close the lifeline to its parent (EPERM)", "denied disarm the lifeline to its parent (EPERM)",
    "denied pass a descriptor over its socket (EPERM)",
    "denied change a picture after handing it over (EPERM)", "denied make a user namespace (clone) (EPERM)",
    "denied make a user namespace (unshare) (EPERM)", "denied ptrace (EPERM)", "denied signal its parent (EPERM)",
    "denied process_vm_readv (EPERM)", "denied io_uring_setup (EPERM)", "denied bpf (EPERM)", "denied keyctl (EPERM)",
    "denied perf_event_open (EPERM)", "denied map memory as code (EPERM)", "denied turn memory into code (EPERM)",
    "denied map 1 GiB (ENOMEM)", "denied write past 1 GiB of a file (EFBIG)",
    "denied raise the core file size limit (EPERM)",
  ]

  @Test("Everything is denied", .enabled(if: Scope.isFull), arguments: try await DecoderUser.possible())
  func locked(_ user: DecoderUser) async throws {
    let result = try await Self.selfTest(["--self-test"], as: user)
    let lines = Self.lines(result)
    #expect(Set(Self.expected).subtracting(lines) == [])
    #expect(!lines.contains { $0.hasPrefix("ALLOWED") || $0.hasPrefix("UNCLEAR") }, "\(result.text)")
    #expect(result.exitStatus == 0)
  }

  @Test(
    "Without the sandbox everything is allowed, and the status is 1",
    .enabled(if: Scope.isFull),
    arguments: try await DecoderUser.possible()
  )
  func unlocked(_ user: DecoderUser) async throws {
    let result = try await Self.selfTest(["--self-test", "--sandbox", "off"], as: user)
    #expect(result.exitStatus == 1)
    let lines = Self.lines(result)
    #expect(lines.contains("holds: nothing"))
    // The seal is set by the parent, so it does not depend on the sandbox.
    #expect(lines.contains("denied change a picture after handing it over (EPERM)"))
    let denied = lines.filter { ($0.hasPrefix("denied") || $0.hasPrefix("UNCLEAR")) && !$0.contains("handing it over") }
    if user.isOrdinary {
      // Operations that the system denies, or may deny, to ordinary users.
      let ordinarily = ["mount", "bpf", "perf_event_open", "user namespace", "keyctl", "io_uring", "core files"]
      let surprising = denied.filter { line in !ordinarily.contains { line.contains($0) } }
      #expect(surprising.isEmpty, "\(surprising)")
    } else {
      #expect(denied.isEmpty, "\(denied)")
    }
    #expect(lines.contains("ALLOWED open /etc/passwd") && lines.contains("ALLOWED make a UDP socket"))
    #expect(lines.contains("ALLOWED run /bin/sh") && lines.contains("ALLOWED fork"))
    #expect(lines.contains("ALLOWED outlive its parent"))
  }

  @Test("Landlock alone denies files, programs and signals", arguments: try await DecoderUser.possible())
  func landlockAlone(_ user: DecoderUser) async throws {
    let result = try await Self.selfTest(["--self-test", "--without", "seccomp"], as: user)
    let lines = Self.lines(result)
    let abi = Self.landlockVersion(in: lines)
    guard abi > 0 else { return }
    for what in [
      "open /etc/passwd", "create a file in /tmp", "write through /proc/self", "open /proc/self/mem", "run /bin/sh",
      "run a program that is already open",
    ] {
      #expect(lines.contains("denied \(what) (EACCES)"), "\(result.text)")
    }
    #expect(abi < 4 || lines.contains("denied connect an inherited TCP socket (EACCES)"))
    #expect(abi < 6 || lines.contains("denied signal its parent (EPERM)"))
    // What only seccomp denies is allowed, so the denials above are due to Landlock.
    // The limit on processes applies to ordinary users.
    let fork = user.isOrdinary ? "denied fork (EAGAIN)" : "ALLOWED fork"
    #expect(lines.contains("ALLOWED make a UDP socket") && lines.contains(fork), "\(result.text)")
    #expect(result.exitStatus == 1)
  }

  @Test("seccomp alone denies everything except what the limits deny")
  func seccompAlone() async throws {
    let parts = ["landlock", "limits", "dumps", "capabilities"].flatMap { ["--without", $0] }
    let lines = Self.lines(try await Self.selfTest(["--self-test"] + parts))
    let limits = ["outlive its parent", "map 1 GiB", "write past 1 GiB of a file"]
    #expect(lines.filter { $0.hasPrefix("ALLOWED") } == limits.map { "ALLOWED " + $0 })
  }

  @Test("Dropped capabilities alone deny root's privileges", .enabled(if: geteuid() == 0, "takes root"))
  func capabilitiesAlone() async throws {
    let parts = ["landlock", "seccomp", "limits", "dumps"].flatMap { ["--without", $0] }
    let lines = Self.lines(try await Self.selfTest(["--self-test"] + parts))
    #expect(lines.contains("denied mount a file system (EPERM)") && lines.contains("denied bpf (EPERM)"))
  }

  // Without no_new_privs the kernel refuses Landlock and seccomp to unprivileged processes.
  @Test("A part that cannot be enabled is reported")
  func missingPart() async throws {
    let result = try await Self.selfTest(["--self-test", "--without", "privileges"])
    let missing = try #require(Self.lines(result).first { $0.hasPrefix("missing: ") })
    #expect(missing.contains("privileges (it was left out)"))
    #expect(missing.contains("landlock (landlock_restrict_self gives EPERM)") || missing.contains("ENOSYS"))
    #expect(missing.contains("seccomp (seccomp gives E"))
    #expect(result.exitStatus == 1)
  }

  @Test(
    "Invalid arguments are refused",
    .enabled(if: Scope.isFull),
    arguments: [["--nonsense"], ["--sandbox", "x"], ["--without", "x"], ["--address-space", "0"]]
  )
  func wrongUsage(_ arguments: [String]) async throws {
    let result = try await Self.selfTest(arguments)
    #expect(result.exitStatus == 64 && result.errorOutput.hasPrefix("clipcanvas-decoder: "))
    let withoutSelfTest = try await Self.selfTest(["--without", "landlock"])
    #expect(withoutSelfTest.exitStatus == 64)
  }

  /// Returns the Landlock ABI version that the self-test reports, or 0 for none.
  private static func landlockVersion(in lines: [String]) -> Int {
    let words = lines.first { $0.hasPrefix("holds: ") }?.split(separator: "(Landlock ")
    return words.flatMap { $0.count == 2 ? Int($0[1].dropLast()) : nil } ?? 0
  }
}
