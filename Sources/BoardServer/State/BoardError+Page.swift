internal import BoardStore
internal import BoardSupport
internal import Files
internal import SystemPackage

extension BoardError {
  /// Returns a message for users of the page, not of the command line.
  ///
  /// - Parameter file: The board's file, which is called by its name without the folder.
  func pageMessage(of file: BoardFile) -> String {
    let name = file.nameOnPage
    return switch self {
    case .unreadable(.missing): "\(name) is missing; put it back, or create a board with \(file.command("new"))"
    case .unreadable(.notFile): "\(name) is no longer a file; put the board back"
    case .unreadable(.empty): "\(name) is empty, because another program truncated it; restore a copy of it"
    case .unreadable(.corrupt):
      "\(name) is damaged and was not changed; \(file.command("repair")) tries to recover it and keeps a copy"
    case .unreadable(.foreign): "\(name) is no longer a board; put the board back"
    case .unreadable(.newer): "\(name) was written by a newer clipcanvas; update clipcanvas and serve the board again"
    case .unreadable(.denied(let error)): "\(name) cannot be read: \(error.message)"
    case .lockTimeout: "\(name) is being changed by another program; try again in a moment"
    case .refused, .exists, .notBoard, .lockDenied, .foreignLock, .conflict, .tooLarge, .failed, .unsynced:
      String(message(of: file, called: name).trimmingPrefix("the board "))
    }
  }
}

extension BoardFile {
  /// The name of the board for users of the page, who need not know its folder.
  var nameOnPage: String { DisplayName.of(path.lastComponent?.string ?? "board") }
}
