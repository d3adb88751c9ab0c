internal import Glibc
internal import Subprocess
internal import Synchronization
public import SystemPackage

/// A program that a test sends signals to while it runs; what it prints goes into files.
public final class RunningProgram: Sendable {
  /// Its number.
  public let pid: Int32
  private let output: FilePath
  private let errorOutput: FilePath
  /// How it ended, once that is known.
  private let ending = Mutex<Int32?>(nil)
  private let seen = Mutex(Seen())

  /// What was seen of it while it ran.
  private struct Seen {
    var peak = 0
    var childrenPeak = (resident: 0, addressSpace: 0)
    var childrenLook = ContinuousClock.now
    /// How many bytes it had printed at which time, whenever there were more.
    var printed: [(bytes: Int, time: ContinuousClock.Instant)] = []
  }

  /// Starts one of the package's programs at the head of a process group of its own.
  ///
  /// - Parameters:
  ///   - name: The program.
  ///   - arguments: What follows its name.
  ///   - scratch: Where its output goes, into `NAME.out` and `NAME.err`.
  ///   - label: The NAME; each run of a test takes another.
  ///   - folder: Where it runs; else in `scratch`.
  ///   - environment: What is added to that of the test.
  public init(
    _ name: String,
    _ arguments: [String],
    scratch: ScratchFolder,
    label: String = "run",
    in folder: FilePath? = nil,
    environment: [String: String] = [:]
  ) throws {
    output = scratch("\(label).out")
    errorOutput = scratch("\(label).err")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output.string, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorOutput.string, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)

    // `env` changes the folder and becomes the program, under the same number.
    let command =
      ["env", "-C", (folder ?? scratch.path).string] + environment.map { "\($0)=\($1)" }
      + [ProjectFolder.program(name).string] + arguments
    var words = command.map { strdup($0) } + [nil]
    defer {
      for word in words { free(word) }
    }
    var pid: Int32 = 0
    let error = posix_spawnp(&pid, "env", &actions, &attributes, &words, environ)
    guard error == 0 else { throw Errno(rawValue: error) }
    self.pid = pid
  }

  deinit {
    guard !hasEnded else { return }
    _ = kill(pid, SIGKILL)
    _ = waitpid(pid, nil, 0)
  }

  /// Sends a signal, as long as it runs.
  public func send(_ signal: Int32) {
    ending.withLock { if $0 == nil { _ = kill(pid, signal) } }
  }

  /// Sends a signal to it and its children, as a terminal does.
  public func sendToGroup(_ signal: Int32) {
    ending.withLock { if $0 == nil { _ = kill(-pid, signal) } }
  }

  /// Whether it has ended.
  public var hasEnded: Bool {
    ending.withLock { ending in
      guard ending == nil else { return true }
      var status: Int32 = 0
      guard waitpid(pid, &status, WNOHANG) == pid else { return false }
      ending = status
      return true
    }
  }

  /// What it has printed until now.
  public func outputSoFar() throws -> String { String(decoding: try ScratchFolder.read(output), as: UTF8.self) }

  /// Waits for its end and tells how it went.
  ///
  /// - Throws: `timedOut` when it takes longer than `limit`; it is killed then.
  public func end(within limit: Duration = .seconds(120)) async throws -> ProgramResult {
    let deadline = ContinuousClock.now + limit
    while !hasEnded {
      look()
      guard ContinuousClock.now < deadline else {
        send(SIGKILL)
        throw Errno.timedOut
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    look()
    let status = ending.withLock { $0 } ?? 0
    let signal = status & 0x7F
    return ProgramResult(
      status: signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal),
      output: try ScratchFolder.read(output),
      errorOutput: String(decoding: try ScratchFolder.read(errorOutput), as: UTF8.self)
    )
  }

  /// The most memory it had, in bytes, as far as ``end(within:)`` saw; without its children's.
  public var peakMemory: Int { seen.withLock { $0.peak } }

  /// The most memory it has had until now, in bytes; 0 when it has ended.
  public var peakMemorySoFar: Int { Self.memory("VmHWM", of: pid) }

  /// The most memory and the most address space that one of its children had, in bytes, as far as ``end(within:)`` saw.
  public var peakOfChildren: (resident: Int, addressSpace: Int) { seen.withLock { $0.childrenPeak } }

  /// When ``end(within:)`` saw more on standard output or standard error, and how many bytes both had then.
  public var printed: [(bytes: Int, time: ContinuousClock.Instant)] { seen.withLock { $0.printed } }

  /// How many bytes stand on standard output and standard error now.
  public var bytesPrinted: Int { Self.size(of: output) + Self.size(of: errorOutput) }

  private func look() {
    let bytes = bytesPrinted
    let now = ContinuousClock.now
    seen.withLock { seen in
      if bytes > seen.printed.last?.bytes ?? 0 { seen.printed.append((bytes, now)) }
      seen.peak = max(seen.peak, Self.memory("VmHWM", of: pid))
      guard now > seen.childrenLook else { return }
      // To look for them takes longer than everything else here.
      seen.childrenLook = now + .milliseconds(100)
      for child in children() {
        seen.childrenPeak.resident = max(seen.childrenPeak.resident, Self.memory("VmHWM", of: child))
        seen.childrenPeak.addressSpace = max(seen.childrenPeak.addressSpace, Self.memory("VmPeak", of: child))
      }
    }
  }

  private static func size(of path: FilePath) -> Int {
    var status = stat()
    return path.withPlatformString { stat($0, &status) } == 0 ? Int(status.st_size) : 0
  }

  /// A line of a process's status, in bytes; 0 where there is none.
  private static func memory(_ name: String, of pid: Int32) -> Int {
    guard let status = try? ScratchFolder.read(FilePath("/proc/\(pid)/status")) else { return 0 }
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name + ":") }
    let words = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
    return words.count > 1 ? (Int(words[1]) ?? 0) * 1024 : 0
  }

  /// The processes that it has started and that run now.
  public func children() -> [Int32] {
    let names = (try? ScratchFolder.names(in: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { Self.parent(of: $0) == pid }
  }

  /// Sends a signal to all its children and tells how many there were.
  @discardableResult
  public func sendToChildren(_ signal: Int32) -> Int {
    children().count { kill($0, signal) == 0 }
  }

  /// Kills one of its children.
  ///
  /// - Parameter choice: Any number; which child is taken hangs on it.
  @discardableResult
  public func killChild(_ choice: Int) -> Bool {
    let children = children()
    guard !children.isEmpty, !hasEnded else { return false }
    return kill(children[choice % children.count], SIGKILL) == 0
  }

  /// The fourth word after the program's name, which stands in brackets and may hold anything.
  private static func parent(of pid: Int32) -> Int32? {
    guard let bytes = try? ScratchFolder.read(FilePath("/proc/\(pid)/stat")) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    return words.count > 1 ? Int32(words[1]) : nil
  }
}
