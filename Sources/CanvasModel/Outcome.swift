/// What an event did to a board: exactly one of these, and never nothing without a reason.
public enum Outcome: Hashable, Sendable {
  /// The board has a new revision, which differs from the one before by these changes; they are never empty.
  case changed(revision: Int, changes: [Change])
  /// Nothing is different, and nothing had to be.
  case noop(Reason)
  /// Nothing is different, because it must not be.
  case refused(Reason)
}

/// Why nothing is different.
public enum Reason: String, CaseIterable, Sendable {
  /// A recording is open.
  case locked
  /// It is so already.
  case already
  /// There is nothing to undo or redo.
  case nothing
  /// An answer that came too late.
  case stale
  /// A recording starts from the preview only.
  case notPreviewing
  /// The canvas has a clip, and nobody said that it may be replaced.
  case hasClip
  case notRecording
  /// The recording has ended, and its clip is on the way.
  case finalizing
  /// No recording is open.
  case noTake
  /// The recording goes on.
  case notStopped
  /// Another recording is open than the one that is spoken of.
  case wrongTake
  case noClip
  case canvasExists
  case badPosition
  case unknownCanvas
}
