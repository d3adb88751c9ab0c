public import CanvasModel

extension Reason {
  /// A message that states the reason and, where useful, what to do about it.
  public var message: String {
    switch self {
    case .locked: "a recording is open; stop or discard it first"
    case .already: "already so"
    case .nothing: "nothing to undo or redo"
    case .stale: "the answer is out of date"
    case .notPreviewing: "no canvas is in preview; tap one first"
    case .hasClip: "the canvas has a clip; use --replace to replace it"
    case .notRecording: "no recording is open"
    case .finalizing: "the recording has ended, and its clip is expected; finish or discard the take"
    case .noTake: "no recording is open"
    case .notStopped: "the recording is still running; stop it first"
    case .wrongTake: "another take is open"
    case .noClip: "the canvas has no clip"
    case .canvasExists: "a canvas with that name exists"
    case .badPosition: "there is no such position; positions are counted from 0"
    case .badCanvasID:
      "the name of a canvas has 1 to \(CanvasID.maximumLength) letters, digits, '-' and '_', and is not 'none'"
    case .ownerAlive: "the recorder is still running; end it, or stop the recording"
    case .tooFewSteps: "there are fewer steps; 'clipcanvas board log --oneline' lists them"
    case .unknownRevision:
      "undoing does not lead to that revision; 'clipcanvas board log --oneline' lists those in the history"
    case .tooLarge: "the board would become larger than 32 MiB; remove canvases or clips first"
    case .unknownCanvas: "there is no such canvas; 'clipcanvas board show' lists them"
    }
  }
}
