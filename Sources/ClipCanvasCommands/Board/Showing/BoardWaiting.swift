internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// Checks a board whenever it may have changed, even if its folder is removed and created again.
struct BoardWaiting {
  private let file: BoardFile
  private let endsWithReader: Bool

  /// - Parameters:
  ///   - file: The board's file.
  ///   - endsWithReader: Whether to end the program when the reader of standard output has closed its end.
  init(_ file: BoardFile, endsWithReader: Bool = false) {
    self.file = file
    self.endsWithReader = endsWithReader
  }

  /// Prints that the board does not exist, but may still be created.
  func reportAbsence() {
    StandardError.print("clipcanvas: the board \(file.path.displayText) does not exist; waiting for it")
  }

  /// Waits until a condition is true.
  ///
  /// - Parameters:
  ///   - deadline: The time to stop waiting; `nil` to wait indefinitely.
  ///   - look: A closure that checks the condition, called immediately and after each change in the folder.
  /// - Returns: `true` if the condition is true; `false` if the deadline has passed.
  /// - Throws: An error thrown by `look`, or an exit status if waiting is not possible.
  func untilTrue(by deadline: ContinuousClock.Instant?, _ look: () throws -> Bool) throws -> Bool {
    Self.unblockSignals()
    var watch = RenewedWatch(file.folder)
    while true {
      let isOver = deadline.map { ContinuousClock.now >= $0 } ?? false
      // The watch starts before the check, so that no change in between is missed.
      let folder = try checked { () throws(Errno) in try watch.start() }
      if try look() { return true }
      guard !isOver else { return false }
      try wait(for: folder, until: folder == nil ? ContinuousClock.now + RenewedWatch.pollingInterval : deadline)
      try checked { () throws(Errno) in try watch.takeChanges() }
    }
  }

  /// Unblocks the signals that end the program, so that it does not wait forever.
  ///
  /// A program inherits the blocked signals of the thread that started it, and Dispatch threads block almost all
  /// signals.
  private static func unblockSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private func checked<Result>(_ work: () throws(Errno) -> Result) throws -> Result {
    do {
      return try work()
    } catch {
      throw cannotWait(error)
    }
  }

  /// Waits until a descriptor is readable or the deadline has passed.
  ///
  /// A closed reader is detected here, because nothing may be printed for a long time.
  private func wait(for input: FileDescriptor?, until deadline: ContinuousClock.Instant?) throws {
    // `poll` ignores negative descriptors, and always reports errors and hang-ups.
    var waited = [
      pollfd(fd: input?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: endsWithReader ? STDOUT_FILENO : -1, events: 0, revents: 0),
    ]
    repeat {
      let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
      guard poll(&waited, 2, rest?.pollMilliseconds ?? -1) < 0 else { break }
      let error = Errno(rawValue: errno)
      guard error == .interrupted else { throw cannotWait(error) }
    } while true
    if waited[1].revents != 0 { Console.endWithoutReader() }
  }

  private func cannotWait(_ error: Errno) -> CommandError {
    CommandError(.cannotContinue, "cannot watch the folder \(file.folder.displayText): \(error.message)")
  }
}
