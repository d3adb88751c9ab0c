public import BoardStore
internal import Files
internal import SystemPackage

extension BoardError {
  /// Returns a message that states the problem and what to do about it.
  ///
  /// - Parameter name: The name of the board's file, for display.
  public func words(_ name: String) -> String {
    switch self {
    case .unreadable(.missing):
      "there is no board \(name); make one with 'clipcanvas new', or name another with --board"
    case .unreadable(.empty):
      "the board \(name) is empty (0 bytes), so something else cut it off; bring back a copy, or make it anew with "
        + "'clipcanvas new --force'"
    case .unreadable(.corrupt(let what)):
      "the board \(name) cannot be read: \(what); nothing was changed; 'clipcanvas repair' saves what it can and keeps a "
        + "copy"
    case .unreadable(.newer(let version)):
      "the board \(name) was written by a newer clipcanvas (schema \(version), this one knows \(BoardDocument.schemaVersion)); "
        + "nothing was changed; update clipcanvas"
    case .unreadable(.denied(let error)): "the board \(name) cannot be read: \(error.words)"
    case .refused(let refusal):
      "cannot create the board: \(name) \(refusal.words(product: "a board")); "
        + refusal.advice(option: "--board", takesStandardOutput: false)
    case .exists: "the board \(name) is there already; replace it with --force, or name another with --board"
    case .lockTimeout(let holder):
      "the board \(name) is being changed by \(holder?.words ?? "somebody else"); try again, or wait longer with "
        + "--lock-timeout"
    case .lockDenied(let path):
      "the board \(name) was not changed: cannot open its lock \(path.displayText): permission denied; let the lock's owner "
        + "or root change the board once, which gives the lock the permissions of the board"
    case .foreignLock(let path, let problem):
      "the board \(name) was not changed: \(path.displayText) \(problem.words), so it is not the board's lock; move it away "
        + "and try again"
    case .conflict(let revision, let wanted):
      "the board \(name) has revision \(revision), not \(wanted); nothing was changed; look at it and try again"
    case .failed(let operation, let path, let error):
      "the board \(name) was not changed: cannot \(operation) \(path.displayText): \(error.words)"
    case .unsynced(let folder, let error):
      "the board \(name) was changed, but a power cut may bring back what it was: cannot sync \(folder.displayText): "
        + error.words
    }
  }
}

extension LockHolder {
  /// A description of the lock holder.
  public var words: String { "process \(processID), for \(DecimalText.of(seconds, places: 0)) s" }
}

extension ForeignLock {
  /// A description of the problem.
  fileprivate var words: String {
    switch self {
    case .symbolicLink: "is a symbolic link"
    case .notRegular: "is not a regular file"
    case .hasOtherNames: "has a second name (hard link)"
    case .hasOtherContent: "holds something else"
    }
  }
}
