internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import Files
internal import Glibc
internal import SystemPackage

/// Looks at a board whenever something may have happened to it, also when its folder goes and comes again.
struct BoardWaiting {
  private let file: BoardFile
  private let endsWithReader: Bool

  /// While the folder is not there nothing tells that it comes.
  private static let pauseWithoutFolder = Duration.milliseconds(200)

  /// - Parameters:
  ///   - file: The board.
  ///   - endsWithReader: Whether the program ends when the reader of standard output has gone.
  init(_ file: BoardFile, endsWithReader: Bool = false) {
    self.file = file
    self.endsWithReader = endsWithReader
  }

  /// Waits until something is true.
  ///
  /// - Parameters:
  ///   - deadline: How long at most; `nil` for ever.
  ///   - look: Asked at once, and again after everything that happens in the folder.
  /// - Returns: Whether it is, or the time is over.
  /// - Throws: What `look` throws, or the end of the program when waiting is not possible.
  func untilTrue(by deadline: ContinuousClock.Instant?, _ look: () throws -> Bool) throws -> Bool {
    Self.unblockSignals()
    while true {
      let isOver = deadline.map { ContinuousClock.now >= $0 } ?? false
      // The watch comes before the look, so that nothing happens unseen between the two.
      guard let watch = try watch() else {
        if try look() { return true }
        guard !isOver else { return false }
        try wait(for: nil, until: ContinuousClock.now + Self.pauseWithoutFolder)
        continue
      }
      while true {
        if try look() { return true }
        switch try wait(watch, until: deadline) {
        case .somethingHappened: continue
        case .timeIsOver: return false
        case .folderIsGone: break
        }
        break
      }
    }
  }

  /// Lets the signals through that end a program which would otherwise wait for ever.
  ///
  /// A program inherits the blocked signals of the thread that started it, and threads of Dispatch block almost all.
  private static func unblockSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// `nil` while the folder is not there.
  private func watch() throws -> FolderWatch? {
    do {
      return try FolderWatch(file.folder)
    } catch  where error == .noSuchFileOrDirectory {
      return nil
    } catch {
      throw cannotWait(error)
    }
  }

  private func wait(
    _ watch: borrowing FolderWatch,
    until deadline: ContinuousClock.Instant?
  ) throws -> FolderWatch.Waking {
    try wait(for: watch.descriptor, until: deadline)
    do {
      return try watch.wait(.zero)
    } catch {
      throw cannotWait(error)
    }
  }

  /// Waits until something can be read, or the time is over.
  ///
  /// A reader that goes is noticed here, as nothing may be printed for a long time.
  private func wait(for input: FileDescriptor?, until deadline: ContinuousClock.Instant?) throws {
    // Descriptors below 0 are passed over. Errors and hang-ups are reported without being asked for.
    var waited = [
      pollfd(fd: input?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: endsWithReader ? STDOUT_FILENO : -1, events: 0, revents: 0),
    ]
    repeat {
      let rest = deadline.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) }
      let milliseconds = rest.map { Int32(max(0, min($0, 1e9)).rounded(.up)) } ?? -1
      guard poll(&waited, 2, milliseconds) < 0 else { break }
      let error = Errno(rawValue: errno)
      guard error == .interrupted else { throw cannotWait(error) }
    } while true
    if waited[1].revents != 0 { Console.endWithoutReader() }
  }

  private func cannotWait(_ error: Errno) -> ExitCode {
    Console.complain("clipcanvas: cannot watch the folder \(file.folder.displayText): \(error.words)")
    return ExitStatus.couldNotGoOn
  }
}
