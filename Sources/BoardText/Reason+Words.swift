public import CanvasModel

extension Reason {
  /// A message that states the reason and, where useful, what to do about it.
  public var words: String {
    switch self {
    case .locked: "a recording is open; stop or discard it first"
    case .already: "it is so already"
    case .nothing: "there is nothing to go to"
    case .stale: "it came too late"
    case .notPreviewing: "no canvas is in preview; tap one first"
    case .hasClip: "the canvas has a clip; --replace records or imports over it"
    case .notRecording: "no recording is open"
    case .finalizing: "the recording has ended, and its clip is awaited"
    case .noTake: "no recording is open"
    case .notStopped: "the recording goes on; stop it first"
    case .wrongTake: "another take is open"
    case .noClip: "the canvas has no clip"
    case .canvasExists: "there is a canvas of that name"
    case .badPosition: "there is no such position; positions count from 0"
    case .unknownCanvas: "there is no such canvas; 'clipcanvas show' lists them"
    }
  }
}
