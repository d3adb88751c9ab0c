internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import Files
internal import SystemPackage

extension BoardError {
  /// Writes what is wrong to standard error; what it returns ends the program.
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
