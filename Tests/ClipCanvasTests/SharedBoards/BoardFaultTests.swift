import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// A system call of a commit: its name and its number among the calls of that name in the whole run.
private struct Call: Hashable {
  let name: String
  let number: Int
  let line: String

  /// Returns the calls from the opening of the lock to the end of the program.
  static func ofCommit(on board: TestBoard) async throws -> [Call] {
    let (result, lines) = try await board.traceCommit()
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    var numbers: [String: Int] = [:]
    var calls: [Call] = []
    var isCommit = false
    for line in lines where !line.contains("resumed>") {
      guard let end = line.firstIndex(of: "("), line.first?.isLetter == true else { continue }
      let name = String(line[..<end])
      numbers[name, default: 0] += 1
      if line.contains(".board.json.lock") { isCommit = true }
      if name == "exit_group" { break }
      if isCommit,
        !["mmap", "munmap", "mprotect", "brk", "madvise", "futex", "epoll_wait", "rt_sigsuspend"].contains(name)
      {
        calls.append(Call(name: name, number: numbers[name] ?? 0, line: line))
      }
    }
    return calls
  }
}

@Suite("A board whose writer is killed, stopped or hit by system errors", .ownThread)
struct BoardFaultTests {
  @Test(
    "A writer killed at any system call has committed or not, and the next command works immediately",
    .enabled(if: Scope.isFull)
  )
  func killed() async throws {
    let board = try await TestBoard()
    let calls = try await Call.ofCommit(on: board)
    try #require(calls.count > 20)
    for call in calls {
      let before = try board.record.revision
      let (result, _) = try await board.traceCommit(["-e", "inject=\(call.name):signal=KILL:when=\(call.number)"])
      #expect(result.exitStatus == 137, "\(call)")
      #expect([before, before + 1].contains(try board.record.revision), "\(call)")
      let between = try board.record.revision
      // Even a command that changes nothing removes leftover files.
      try await board.done("stop-preview", "--lock-timeout", "0")
      #expect(try board.record.revision - between <= 1)
      #expect(try board.leftovers == [], "\(call)")
    }
  }

  @Test(
    "After the lock timeout, the process that holds the lock and its duration are reported",
    .enabled(if: Scope.isFull)
  )
  func stopped() async throws {
    let board = try await TestBoard()
    let strace = try await StoppedHolder(board)
    defer { strace.end() }
    let start = ContinuousClock.now
    let result = try await board.run("tap", "c1", "--lock-timeout", "1.2")
    let waited = ContinuousClock.now - start
    #expect(result.exitStatus == 5)
    #expect(waited >= .milliseconds(1200) && waited < .seconds(10))
    let words = "is being changed by process \(strace.holder), for "
    #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
    let age = result.errorOutput.firstRange(of: words).map {
      result.errorOutput[$0.upperBound...].prefix { $0.isNumber }
    }
    #expect((1...20).contains(Int(age ?? "") ?? 0), "\(result.errorOutput)")
    #expect(try board.record.revision == 0)
    // Readers do not wait for the lock.
    try await board.done("log")
    strace.end()
    try await board.done("tap", "c1", "--lock-timeout", "2")
  }

  private static let errors = [
    "openat": ["EIO", "EMFILE"], "write": ["ENOSPC", "EIO"], "pwrite64": ["ENOSPC"], "fsync": ["EIO", "ENOSPC"],
    "linkat": ["ENOSPC", "EIO"], "renameat": ["EIO", "ENOSPC"], "flock": ["ENOLCK"], "ftruncate": ["EIO"],
    "read": ["EIO"], "fchmod": ["EPERM"],
  ]

  @Test(
    "If a needed system call fails, the document stays intact and the command exits with status 2",
    .enabled(if: Scope.isFull)
  )
  func failing() async throws {
    let board = try await TestBoard()
    let calls = try await Call.ofCommit(on: board)
    var tried: Set<String> = []
    for call in calls {
      for error in Self.errors[call.name] ?? [] {
        let old = try board.bytes
        let revision = try board.record.revision
        let (result, _) = try await board.traceCommit(["-e", "inject=\(call.name):error=\(error):when=\(call.number)"])
        tried.insert(call.name)
        let folderSync = call.name == "fsync" && call == calls.last { $0.name == "fsync" }
        switch call.name {
        case "pwrite64", "ftruncate", "fchmod":
          // Without these calls the lock's holder is not recorded or the mode differs, which does not prevent a commit.
          #expect(result.exitStatus == 0, "\(call) \(result.errorOutput)")
        case "flock" where call.number > 1: #expect(result.exitStatus == 0)
        case "write" where call.line.hasPrefix("write(1,"):
          #expect(result.exitStatus == 2 && result.errorOutput.contains("cannot write to standard output"))
          #expect(try board.record.revision == revision + 1)
        case _ where folderSync:
          #expect(result.exitStatus == 2)
          #expect(
            result.errorOutput.contains("was changed, but a power failure may restore the old version"),
            "\(result.errorOutput)"
          )
          #expect(try board.record.revision == revision + 1)
        case "read",
          "openat" where call.line.contains("/board.json\", O_RDONLY"):
          #expect(result.exitStatus == 6, "\(call)")
          #expect(result.errorOutput.contains("board.json cannot be read: "))
          #expect(try board.bytes == old)
        default:
          #expect(result.exitStatus == 2, "\(call) \(error)")
          #expect(result.errorOutput.contains("was not changed: cannot "), "\(call): \(result.errorOutput)")
          #expect(try board.bytes == old, "\(call)")
        }
        #expect(try board.leftovers == [], "\(call)")
      }
    }
    #expect(tried.isSuperset(of: ["openat", "write", "fsync", "linkat", "renameat", "flock"]))
  }

  @Test("A short write leaves the old document intact")
  func shortWrite() async throws {
    let board = try await TestBoard(canvases: 40)
    let old = try board.bytes
    // Files are limited to 1024 bytes, which is less than the size of the board.
    let result = try await Program.runTool(
      "bash",
      ["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "-", ProjectFolder.program("clipcanvas").string]
        + board.arguments(["tap", "c1"])
    )
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("was not changed: cannot write"), "\(result.errorOutput)")
    #expect(try board.bytes == old)
    #expect(try board.leftovers == [])
  }

  @Test("A full disk leaves the old document", .enabled(if: geteuid() == 0, "mounting a file system takes root"))
  func fullDisk() async throws {
    let scratch = try ScratchFolder()
    let disk = try MemoryFileSystem(scratch("disk"), size: 64 * 1024)
    let board = TestBoard(at: disk.path.appending("board.json"), in: scratch)
    try await board.done("new", "--canvases", "30")
    let old = try board.bytes
    let ballast = disk.path.appending("ballast")
    var size = 64 * 1024
    while size > 0 {
      if (try? ScratchFolder.write(Array(repeating: 1, count: size), to: ballast)) != nil { break }
      size -= 4096
    }
    for _ in 0..<3 {
      let result = try await board.run("tap", "c1")
      #expect(result.exitStatus == 2)
      #expect(
        result.errorOutput.contains("was not changed: cannot") && result.errorOutput.contains("no space left"),
        "\(result.errorOutput)"
      )
      #expect(try board.bytes == old)
    }
    let unlinked = ballast.withPlatformString { unlink($0) }
    #expect(unlinked == 0)
    try await board.done("tap", "c1")
    #expect(try ScratchFolder.names(in: disk.path) == [".board.json.lock", "board.json"])
  }

  @Test(
    "A signal at a random moment leaves the change committed or not, and no temporary files",
    .enabled(if: Scope.isFull)
  )
  func signals() async throws {
    let board = try await TestBoard()
    var numbers = SeededNumbers(seed: 15)
    let count = LongForm.count(short: 60, long: 1000, variable: "TORTURE_SIGNALS")
    var ended = 0
    for number in 0..<count {
      let before = try board.record.revision
      let signal = [SIGINT, SIGTERM, SIGPIPE][number % 3]
      let program = try RunningProgram(
        "clipcanvas",
        board.arguments(["tap", "c1"]),
        scratch: board.scratch,
        label: "out"
      )
      try await Task.sleep(for: .microseconds(Int.random(in: 0...25_000, using: &numbers)))
      program.send(signal)
      let result = try await program.end(within: .seconds(60))
      let after = try board.record.revision
      #expect([before, before + 1].contains(after))
      if result.exitStatus == 0 {
        #expect(after == before + 1)
      } else {
        #expect(result.exitStatus == 128 + Int(signal))
        ended += 1
      }
    }
    #expect(ended > 0)
    try await board.done("tap", "c2")
    #expect(try board.leftovers.filter { !$0.hasPrefix("out.") } == [])
  }
}

/// A writer that strace stopped while it holds the lock.
private final class StoppedHolder {
  let holder: Int32
  private let strace: Int32

  init(_ board: TestBoard) async throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in 0..<3 as Range<Int32> {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    let words =
      ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=fsync:signal=STOP:when=1"]
      + [ProjectFolder.program("clipcanvas").string] + board.arguments(["tap", "c4"])
    var arguments = words.map { strdup($0) } + [nil]
    defer {
      for argument in arguments { free(argument) }
    }
    var pid: Int32 = 0
    let error = posix_spawnp(&pid, "strace", &actions, nil, &arguments, environ)
    guard error == 0 else { throw Errno(rawValue: error) }
    strace = pid
    let lock = board.scratch(".board.json.lock")
    for _ in 0..<2000 {
      let record = String(decoding: (try? ScratchFolder.read(lock)) ?? [], as: UTF8.self)
      if let first = record.split(separator: " ").first, let number = Int32(first),
        ProcessStatus(of: number)?.isStopped == true
      {
        holder = number
        return
      }
      try await pause(.milliseconds(5))
    }
    kill(pid, SIGKILL)
    throw Errno.timedOut
  }

  private var hasEnded = false

  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    kill(holder, SIGKILL)
    kill(strace, SIGKILL)
    _ = waitpid(strace, nil, 0)
  }
}
