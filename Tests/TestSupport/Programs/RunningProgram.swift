internal import Glibc
internal import Subprocess
internal import Synchronization
package import SystemPackage

/// A running program that a test can send signals to; its output is written to files.
package final class RunningProgram: Sendable {
  /// The process ID.
  package let pid: Int32
  private let command: (name: String, arguments: [String], folder: FilePath, environment: [String: String])
  private let output: FilePath
  private let errorOutput: FilePath
  /// The wait status, once the program has ended.
  private let ending = Mutex<Int32?>(nil)
  private let seen = Mutex(Seen())

  /// Measurements taken while the program runs.
  private struct Seen {
    var peak = 0
    var childrenPeak = (resident: 0, addressSpace: 0)
    var childrenLook = ContinuousClock.now
    /// The time that has passed, and when it was last added up.
    var time = (passed: Duration.zero, counted: ContinuousClock.now)
    /// The total number of bytes printed, and the time of each increase.
    var printed: [(bytes: Int, time: Duration)] = []
  }

  /// The most that a look adds to the time that has passed.
  ///
  /// Looks follow one another after 5 ms; if this process had to wait for longer, so had the program.
  private static let longestStep = Duration.milliseconds(50)

  /// Starts one of the package's programs as the leader of a new process group.
  ///
  /// - Parameters:
  ///   - name: The program.
  ///   - arguments: The arguments.
  ///   - scratch: The folder for its output, `LABEL.out` and `LABEL.err`.
  ///   - label: The label, which must differ between the runs of a test.
  ///   - folder: The working folder (default: `scratch`).
  ///   - environment: Variables added to the environment of the test.
  package convenience init(
    _ name: String,
    _ arguments: [String],
    scratch: ScratchFolder,
    label: String = "run",
    in folder: FilePath? = nil,
    environment: [String: String] = [:]
  ) throws {
    try self.init(
      tool: ProjectFolder.program(name).string,
      arguments,
      scratch: scratch,
      label: label,
      in: folder,
      environment: environment
    )
  }

  /// Starts any program; the parameters are the same.
  package init(
    tool: String,
    _ arguments: [String],
    scratch: ScratchFolder,
    label: String = "run",
    in folder: FilePath? = nil,
    environment: [String: String] = [:]
  ) throws {
    command = (FilePath(tool).lastComponent?.string ?? tool, arguments, folder ?? scratch.path, environment)
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
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setpgroup(&attributes, 0)
    // The tests may run in the background of a shell, which ignores these.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGHUP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)

    // `env` changes the folder and executes the program, which keeps the process ID.
    let command =
      ["env", "-C", (folder ?? scratch.path).string] + environment.map { "\($0)=\($1)" }
      + [tool] + arguments
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

  /// Sends a signal if the program is still running.
  package func send(_ signal: Int32) {
    ending.withLock { if $0 == nil { _ = kill(pid, signal) } }
  }

  /// Sends a signal to the whole process group, as a terminal does.
  package func sendToGroup(_ signal: Int32) {
    ending.withLock { if $0 == nil { _ = kill(-pid, signal) } }
  }

  /// What the program's descriptors lead to.
  package func openFiles() -> [String] { Self.openFiles(of: pid) }

  /// What the descriptors of a process lead to; empty if it does not run.
  package static func openFiles(of pid: Int32) -> [String] {
    let folder = FilePath("/proc/\(pid)/fd")
    return ((try? ScratchFolder.names(in: folder)) ?? []).compactMap { name in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let count = folder.appending(name).withPlatformString { readlink($0, start, buffer.count) }
        return count < 0 ? nil : String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      }
    }
  }

  /// Whether the program has ended.
  package var hasEnded: Bool {
    ending.withLock { ending in
      guard ending == nil else { return true }
      var status: Int32 = 0
      guard waitpid(pid, &status, WNOHANG) == pid else { return false }
      ending = status
      return true
    }
  }

  /// Returns the standard output up to now.
  package func outputSoFar() throws -> String { String(decoding: try ScratchFolder.read(output), as: UTF8.self) }

  /// Returns the error output up to now.
  package func errorOutputSoFar() throws -> String {
    String(decoding: try ScratchFolder.read(errorOutput), as: UTF8.self)
  }

  /// Waits for the program to end and returns its result.
  ///
  /// - Throws: `timedOut` if it takes longer than `limit`, after killing it.
  package func end(within limit: Duration = .seconds(120)) async throws -> ProgramResult {
    let start = ContinuousClock.now
    while !hasEnded {
      look()
      guard ContinuousClock.now < start + limit else {
        send(SIGKILL)
        throw Errno.timedOut
      }
      // Not as a pause, because this time is recorded as that of a program.
      try await Task.sleep(for: .milliseconds(5))
    }
    look()
    RunTimes.record(RunTimes.kind(of: command.name), since: start)
    let status = ending.withLock { $0 } ?? 0
    let signal = status & 0x7F
    return try await ProgramResult(
      status: signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal),
      output: try ScratchFolder.read(output),
      errorOutput: String(decoding: try ScratchFolder.read(errorOutput), as: UTF8.self)
    ).checked(command.name, command.arguments, in: command.folder, environment: command.environment)
  }

  /// The peak memory of the program without its children, in bytes, as sampled by ``end(within:)``.
  package var peakMemory: Int { seen.withLock { $0.peak } }

  /// The current peak memory, in bytes; 0 if the program has ended.
  package var peakMemorySoFar: Int { Self.memory("VmHWM", of: pid) }

  /// The peak memory and address space of its largest child, in bytes, as sampled by ``end(within:)``.
  package var peakOfChildren: (resident: Int, addressSpace: Int) { seen.withLock { $0.childrenPeak } }

  /// The times at which ``end(within:)`` found new output, and the size of standard output and error together.
  ///
  /// The time stands still while the machine is too busy to run this process.
  package var printed: [(bytes: Int, time: Duration)] { seen.withLock { $0.printed } }

  /// The current size of standard output and standard error together, in bytes.
  package var bytesPrinted: Int { Self.size(of: output) + Self.size(of: errorOutput) }

  private func look() {
    let bytes = bytesPrinted
    let now = ContinuousClock.now
    seen.withLock { seen in
      seen.time = (seen.time.passed + min(now - seen.time.counted, Self.longestStep), now)
      if bytes > seen.printed.last?.bytes ?? 0 { seen.printed.append((bytes, seen.time.passed)) }
      seen.peak = max(seen.peak, Self.memory("VmHWM", of: pid))
      guard now > seen.childrenLook else { return }
      // Finding the children takes longer than everything else here.
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

  /// Returns a field of a process's status in bytes, or 0 if the field does not exist.
  private static func memory(_ name: String, of pid: Int32) -> Int {
    guard let status = try? ScratchFolder.read(FilePath("/proc/\(pid)/status")) else { return 0 }
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name + ":") }
    let words = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
    return words.count > 1 ? (Int(words[1]) ?? 0) * 1024 : 0
  }

  /// Returns the process IDs of its current children.
  package func children() -> [Int32] { ProcessStatus.children(of: pid) }

  /// Returns the process IDs of its current children that run a program of this name.
  package func children(running name: String) -> [Int32] {
    children().filter { child in
      let words = (try? ScratchFolder.read(FilePath("/proc/\(child)/cmdline"))) ?? []
      return FilePath(String(decoding: words.prefix { $0 != 0 }, as: UTF8.self)).lastComponent?.string == name
    }
  }

  /// Sends a signal to all its children and returns their number.
  @discardableResult
  package func sendToChildren(_ signal: Int32) -> Int {
    children().count { kill($0, signal) == 0 }
  }

  /// Kills one of its children, if it has any.
  ///
  /// - Parameter choice: A number that selects the child.
  @discardableResult
  package func killChild(_ choice: Int) -> Bool {
    let children = children()
    guard !children.isEmpty, !hasEnded else { return false }
    return kill(children[choice % children.count], SIGKILL) == 0
  }

  /// Waits until one of its children has stopped itself, and returns that child's process ID.
  ///
  /// - Throws: `timedOut` if none has within `limit`, or if the program has ended.
  package func stoppedChild(within limit: Duration = .seconds(60)) async throws -> Int32 {
    let deadline = ContinuousClock.now + limit
    while !hasEnded, ContinuousClock.now < deadline {
      if let child = children().first(where: { ProcessStatus(of: $0)?.isStopped == true }) { return child }
      try await pause(.milliseconds(5))
    }
    throw Errno.timedOut
  }
}
