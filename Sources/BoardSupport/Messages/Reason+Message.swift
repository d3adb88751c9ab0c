package import BoardStore
package import CanvasModel

extension Reason {
  /// A message that states the reason and, where useful, what to do about it.
  ///
  /// - Parameter board: The board that commands in the message are for.
  package func message(on board: BoardFile = BoardFile(at: BoardFile.usualPath)) -> String {
    switch self {
    case .locked: "a recording is in progress; finish or discard it first"
    case .already: "nothing would change"
    case .nothing: "there is nothing to undo or redo"
    case .stale: "out of date: the clip has been replaced since"
    case .notPreviewing: "no canvas is in preview; tap one first"
    case .hasClip: "the canvas already has a clip; replace it with --replace"
    case .notRecording: "no recording is in progress"
    case .finalizing: "the recording has ended and awaits its clip; finish or discard the take"
    case .noTake: "no recording is in progress"
    case .notStopped: "the recording has not been stopped; stop it first"
    case .wrongTake: "another take is in progress"
    case .noClip: "the canvas has no clip"
    case .unknownTake: "the canvas has no such take; \(board.command("takes")) lists them"
    case .takeInUse: "the take is the clip of the canvas; use another take or remove the clip first"
    case .badTrim: "the part is not within the clip"
    case .canvasExists: "a canvas with that name already exists"
    case .badPosition: "the position does not exist; positions are counted from 0"
    case .badCanvasID:
      "a canvas name has 1 to \(CanvasID.maximumLength) letters, digits, '-' and '_', and is not 'none'"
    case .ownerAlive: "the recorder is still running; end it, or stop the recording"
    case .tooFewSteps:
      "the history has fewer steps than that; \(board.command("log --oneline")) lists them"
    case .unknownRevision:
      "undo cannot reach that revision; \(board.command("log --oneline")) lists those in the history"
    case .tooLarge: "the board would exceed 32 MiB; remove canvases, clips or takes first"
    case .unknownCanvas: "there is no such canvas; \(board.command("show")) lists them"
    }
  }
}

extension Reason {
  /// A message that states why an event changed nothing or was refused.
  ///
  /// - Parameters:
  ///   - event: The kind of the event; `nil` for several events.
  ///   - board: The board that commands in the message are for.
  package func message(
    for event: EventName?,
    on board: BoardFile = BoardFile(at: BoardFile.usualPath)
  ) -> String {
    switch (self, event) {
    case (.nothing, .undo): "there is nothing to undo"
    case (.nothing, .redo): "there is nothing to redo"
    case (.already, .select): "the canvas is already selected"
    case (.already, .deselect): "no canvas is selected"
    case (.already, .preview): "the canvas is already in preview"
    case (.already, .stopPreview): "no canvas is in preview"
    case (.already, .recordPause): "the recording is already paused"
    case (.already, .recordResume): "the recording is not paused"
    case (.already, .recordStop): "the recording has already stopped; finish or discard the take"
    case (.already, .removeClip): "the canvas has no clip"
    case (.already, .trimClip): "that part of the clip is already played"
    case (.already, .useTake): "the take is already the clip of the canvas"
    case (.already, .coverRetry): "the cover has not been made yet"
    case (.already, .moveCanvas): "the canvas is already in that position"
    case (.already, .undo): "the board is as it was then"
    case (.stale, .takeFailed): "out of date: the take has ended or was already interrupted"
    case (.stale, .coverReady), (.stale, .coverFailed):
      "out of date: the clip has been replaced since, or already has its cover"
    default: message(on: board)
    }
  }
}
