internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Covers
internal import Files
internal import SystemPackage

extension CommandError {
  /// Creates the error for a board that cannot be read or changed.
  init(_ error: BoardError, of file: BoardFile) {
    self.init(error.status, error.message(file.path.displayText))
  }

  /// Creates the error for a canvas that a board does not have.
  init(unknown canvas: CanvasID, canvases: [CanvasID]) {
    let names = canvases.map { DisplayName.of($0) }
    let list = names.count > 8 ? names.prefix(7) + ["…", names[names.count - 1]] : names[...]
    self.init(
      .refused,
      "no canvas '\(DisplayName.of(canvas))'; "
        + (names.isEmpty ? "this board has none" : "this board has \(list.joined(separator: ", "))")
    )
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
