package import CanvasModel

extension Board.StepDescription {
  /// The step in words that follow "undo" or "redo", such as `adding the clip to c2`.
  package var message: String {
    let canvas = canvas.map { DisplayName.of($0) }
    func with(_ preposition: String) -> String { canvas.map { " \(preposition) \($0)" } ?? "" }
    return switch events.last {
    case .importClip, .takeFinished: "adding the clip" + with("to")
    case .removeClip: "removing the clip" + with("of")
    case .trimClip: "trimming the clip" + with("of")
    case .useTake: "using the take" + with("of")
    case .removeTake: "removing the take" + with("of")
    case .addCanvas: "adding the canvas" + with("named")
    case .removeCanvas: "removing the canvas" + with("named")
    case .moveCanvas: "moving the canvas" + with("named")
    case .recordStart, .recordPause, .recordResume, .recordStop, .recordDiscard, .takeFailed:
      "the recording" + with("on")
    case .tap, .select, .preview: "the tap" + with("on")
    case .deselect, .stopPreview, .coverReady, .coverFailed, .coverRetry, .undo, .redo, nil: "the last step"
    }
  }
}
