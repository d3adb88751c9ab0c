internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import Files
internal import SystemPackage

extension BoardError {
  /// Prints the error to standard error and returns the exit status.
  func told(of file: BoardFile) -> ExitCode {
    Console.complain("clipcanvas: \(words(file.path.displayText))")
    return status
  }

  private var status: ExitCode {
    switch self {
    case .unreadable: ExitStatus.boardUnreadable
    case .exists, .refused, .lockDenied, .foreignLock, .failed, .unsynced: ExitStatus.couldNotGoOn
    case .lockTimeout: ExitStatus.lockTimeout
    case .conflict: ExitStatus.conflict
    }
  }
}
