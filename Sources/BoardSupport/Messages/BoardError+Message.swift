package import BoardStore
internal import CanvasModel
internal import Covers
internal import Files
internal import SystemPackage

extension BoardError {
  /// The words for a board that a newer version wrote.
  package static func writtenByNewer(schema version: Int) -> String {
    "was written by a newer clipcanvas (schema \(version); this one supports \(BoardDocument.schemaVersion))"
  }

  /// Returns a message that states the problem and what to do about it.
  ///
  /// - Parameters:
  ///   - file: The board's file, which the commands in the message name.
  ///   - name: The name of the board, for display; `nil` for the path of its file.
  package func message(of file: BoardFile, called name: String? = nil) -> String {
    let name = name ?? file.path.displayText
    return switch self {
    case .unreadable(.missing):
      "the board \(name) does not exist; create it with \(file.command("new")), or specify another with --board"
    case .unreadable(.notFile): "the board \(name) is not a regular file; specify one with --board"
    case .unreadable(.empty):
      "the board \(name) is empty (0 bytes), so another program must have truncated it; restore a copy, or create a new board with "
        + file.command("new --force")
    case .unreadable(.corrupt(let what)):
      "the board \(name) cannot be read: \(what); nothing was changed; \(file.command("repair")) tries to recover "
        + "it and keeps a copy"
    case .unreadable(.foreign(.gzip)):
      "the board \(name) is compressed with gzip; nothing was changed; decompress it, or specify another with --board"
    case .unreadable(.foreign(.markup)):
      "the board \(name) is an HTML or XML document; nothing was changed; restore a copy, or specify another with --board"
    case .unreadable(.newer(let version)):
      "the board \(name) \(Self.writtenByNewer(schema: version)); nothing was changed; update clipcanvas"
    case .unreadable(.denied(let error)): "the board \(name) cannot be read: \(error.message)"
    case .refused(let refusal):
      "cannot create the board: \(name) \(refusal.message(product: "a board")); "
        + refusal.advice(option: "--board", taking: .file)
    case .notBoard:
      "cannot create the board: \(name) exists and is not a board; move it away, or specify another file with --board"
    case .exists: "the board \(name) already exists; replace it with --force, or specify another with --board"
    case .lockTimeout(let holder):
      "the board \(name) is being changed by \(holder?.message ?? "another process"); try again, or wait longer with "
        + "--lock-timeout"
    case .lockDenied(let path):
      "the board \(name) was not changed: cannot open its lock \(path.displayText): permission denied; let the lock's owner "
        + "or root change the board once, which gives the lock the board's permissions"
    case .foreignLock(let path, let problem):
      "the board \(name) was not changed: \(path.displayText) \(problem.message), so it is not the board's lock; move it away "
        + "and try again"
    case .conflict(let revision, let wanted):
      "the board \(name) has revision \(revision), not \(wanted); nothing was changed; check it and try again"
    case .tooLarge: "the board \(name) was not changed: \(Reason.tooLarge.message())"
    case .failed(let operation, let path, let error):
      "the board \(name) was not changed: cannot \(operation) \(path.displayText): \(error.message)"
        + (error == .noSuchFileOrDirectory ? "; create the folder first" : "")
    case .unsynced(let folder, let error):
      "the board \(name) was changed, but a power failure may restore the old version: cannot sync \(folder.displayText): "
        + error.message
    }
  }
}

extension LockHolder {
  /// A description of the lock holder.
  package var message: String { "process \(processID), for \(DecimalText.of(seconds, places: 0)) s" }
}

extension ForeignLock {
  /// A description of the problem.
  fileprivate var message: String {
    switch self {
    case .symbolicLink: "is a symbolic link"
    case .notRegular: "is not a regular file"
    case .hasOtherNames: "has a second name (hard link)"
    case .hasOtherContent: "has other content"
    }
  }
}
