import Glibc
import SystemPackage
import TestSupport
import Testing

/// System calls that strace makes fail, counted separately for each thread.
@Suite(
  "A failing n-th system call ends a command with a message and leaves existing files intact",
  .enabled(if: geteuid() == 0, LimitedFolder.takesRoot)
)
struct ShortageTests {
  struct Shortage: Sendable {
    let calls: [String]
    let error: String
    let numbers: [String]

    init(_ calls: String..., error: String, at numbers: [String], long: ClosedRange<Int>) {
      (self.calls, self.error) = (calls, error)
      self.numbers = LongForm.isWanted ? long.flatMap { ["\($0)", "\($0)+"] } : numbers
    }
  }

  static let shortages = [
    Shortage("clone", "clone3", error: "EAGAIN", at: ["1+", "3+"], long: 1...12),
    Shortage("openat", error: "EMFILE", at: ["1", "2", "3", "50"], long: 1...80),
    Shortage("socketpair", error: "EMFILE", at: ["1"], long: 1...2),
    Shortage("pipe2", error: "EMFILE", at: ["1+"], long: 1...4),
    Shortage("memfd_create", error: "EMFILE", at: ["1"], long: 1...2),
    Shortage("epoll_create1", error: "EMFILE", at: ["1", "2"], long: 1...4),
    Shortage("eventfd2", error: "EMFILE", at: ["1", "2"], long: 1...4),
    Shortage("timerfd_create", error: "EMFILE", at: ["1"], long: 1...4),
    Shortage("inotify_init1", error: "EMFILE", at: ["1"], long: 1...2),
    Shortage("epoll_ctl", error: "ENOMEM", at: ["1"], long: 1...6),
    // The first call is the loader's, which crashes if it fails.
    Shortage("mmap", error: "ENOMEM", at: ["2", "70", "110"], long: 2...160),
    Shortage("mprotect", error: "ENOMEM", at: ["1", "40"], long: 1...100),
  ]

  private static let commands = LimitedFolder.commands.filter { command in
    ["cover", "batch", "probe", "clip import", "render", "tap"].contains(command.name)
  }

  @Test("Every command handles every shortage", .enabled(if: Scope.isFull))
  func injected() async throws {
    let scratch = try ScratchFolder()
    let programs = try await LimitedFolder.install(in: scratch)
    let cases = Self.shortages.flatMap { shortage in shortage.numbers.map { (shortage, $0) } }
      .flatMap { shortage, when in Self.commands.map { (shortage, when, $0) } }
      // `render` executes another program, whose loader crashes in the same way, at a number that varies.
      .filter { shortage, _, command in shortage.calls != ["mmap"] || command.name != "render" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, (shortage, when, command)) in cases.enumerated() {
        if number >= 4 { try await group.next() }
        group.addTask {
          let injections = shortage.calls.flatMap { ["-e", "inject=\($0):error=\(shortage.error):when=\(when)"] }
          let strace = ["strace", "-f", "-qq", "-e", "signal=none", "-o", "/dev/null"] + injections
          let label = "\(shortage.calls.joined(separator: ", ")) giving \(shortage.error) at \(when)"
          try await LimitedFolder(programs: programs).run(command, under: strace, label)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "With few descriptors left, a command does its work or ends with a message",
    .enabled(if: Scope.isFull),
    arguments: [("cover", 1), ("batch", 3)]
  )
  func crowded(_ command: (name: String, step: Int)) async throws {
    let scratch = try ScratchFolder()
    let programs = try await LimitedFolder.install(in: scratch)
    let wanted = try #require(LimitedFolder.commands.first { $0.name == command.name })
    let script = "ulimit -n 64; for ((i = 0; i < $0; i++)); do exec {kept}< /dev/null; done; exec \"$@\""
    var exits: Set<Int32> = []
    // The shell has four open itself.
    for taken in stride(from: 30, through: 60, by: LongForm.isWanted ? 1 : command.step) {
      let wrapper = ["bash", "-c", script, "\(taken)"]
      let result = try await LimitedFolder(programs: programs).run(wanted, under: wrapper, "\(64 - taken) descriptors")
      exits.insert(Int32(result.exitStatus))
      // The loader names the error differently.
      let isReported = result.errorOutput.contains("too many open files") || result.exitStatus == 127
      #expect(result.exitStatus == 0 || isReported, "\(taken): \(result)")
    }
    #expect(exits.contains(0) && exits.count > 1, "\(exits)")
  }

  @Test("A thread that can be created only on the second attempt is waited for")
  func lateThread() async throws {
    let scratch = try ScratchFolder()
    let folder = try await LimitedFolder(programs: try await LimitedFolder.install(in: scratch))
    let command = try #require(LimitedFolder.commands.first { $0.name == "batch" })
    let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=clone3:error=EAGAIN:when=1"]
    let result = try await folder.run(command, under: strace, "a late thread")
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
  }

  @Test(
    "If libdispatch lacks a descriptor to inspect its threads, the program waits, then ends with a message",
    .enabled(if: Scope.isFull)
  )
  func crowdedQueue() async throws {
    let late = try await Program.run("crowded-queue", ["1800"])
    #expect(late.exitStatus == 0, "\(late.errorOutput)")
    let never = try await Program.run("crowded-queue", ["60000"])
    #expect(never.exitStatus == 2, "\(never.errorOutput)")
    #expect(never.errorOutput.contains("crowded-queue: "), "\(never.errorOutput)")
  }
}
