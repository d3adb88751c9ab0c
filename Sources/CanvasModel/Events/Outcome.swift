/// The outcome of an event: either a change, or the reason why nothing changed.
package enum Outcome: Hashable, Sendable {
  /// The board has a new revision, which differs from the previous one by the given changes.
  ///
  /// There is at least one change, unless several steps were undone or redone that cancel each other out.
  case changed(revision: Int, changes: [Change])
  /// Nothing changed, because there was nothing to do.
  case noop(Reason)
  /// Nothing changed, because the event is not allowed.
  case refused(Reason)
}

/// The reason why nothing changed.
package enum Reason: String, CaseIterable, Sendable {
  /// A recording is open.
  case locked
  /// The board is already in the requested state.
  case already
  /// There is nothing to undo or redo.
  case nothing
  /// The answer is out of date.
  case stale
  /// A recording can only be started from the preview.
  case notPreviewing
  /// The canvas has a clip, and the event does not allow replacing it.
  case hasClip
  case notRecording
  /// The recording has ended, and its clip is not available yet.
  case finalizing
  /// No recording is open.
  case noTake
  /// The recording has not been stopped.
  case notStopped
  /// The event names a different recording than the open one.
  case wrongTake
  case noClip
  /// The canvas has no such take.
  case unknownTake
  /// The take is the clip of its canvas.
  case takeInUse
  /// The part is not within the clip.
  case badTrim
  case canvasExists
  case badPosition
  case unknownCanvas
  /// The ID of a new canvas has invalid characters, is too long or is a reserved word.
  case badCanvasID
  /// The process that owns the recording is still running.
  case ownerAlive
  /// Fewer steps can be undone or redone than requested.
  case tooFewSteps
  /// The board cannot return to the revision by undoing steps.
  case unknownRevision
  /// The board would become larger than ``Board/maximumBytes``.
  case tooLarge
}
