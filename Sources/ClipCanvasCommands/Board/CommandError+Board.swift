internal import BoardStore
internal import BoardText
internal import Covers
internal import Files
internal import SystemPackage

extension CommandError {
  /// Creates the error for a board that cannot be read or changed.
  init(_ error: BoardError, of file: BoardFile) {
    self.init(error.status, error.words(file.path.displayText))
  }
}

extension BoardError {
  fileprivate var status: ExitStatus {
    switch self {
    case .unreadable: .boardUnreadable
    case .exists, .refused, .lockDenied, .foreignLock, .failed, .unsynced: .cannotContinue
    case .lockTimeout: .lockTimeout
    case .conflict: .conflict
    }
  }
}
