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
    case .unknownCanvas: "there is no such canvas; 'clipcanvas board show' lists them"
    }
  }
}
