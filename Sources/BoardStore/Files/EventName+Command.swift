package import CanvasModel

extension EventName {
  /// The words of the command that sends the event, such as `record start`.
  ///
  /// Answers about covers have no command: `clipcanvas board cover` sends them.
  package var command: String {
    switch self {
    case .tap: "tap"
    case .select: "select"
    case .deselect: "deselect"
    case .preview: "preview"
    case .stopPreview: "stop-preview"
    case .recordStart: "record start"
    case .recordPause: "record pause"
    case .recordResume: "record resume"
    case .recordStop: "record stop"
    case .recordDiscard: "record discard"
    case .takeFinished: "record finish"
    case .takeFailed: "record fail"
    case .importClip: "clip import"
    case .removeClip: "clip remove"
    case .trimClip: "clip trim"
    case .useTake: "use"
    case .removeTake: "forget"
    case .coverReady: "cover ready"
    case .coverFailed: "cover failed"
    case .coverRetry: "cover"
    case .addCanvas: "canvas add"
    case .removeCanvas: "canvas remove"
    case .moveCanvas: "canvas move"
    case .undo: "undo"
    case .redo: "redo"
    }
  }

  /// Finds the event of a command; also accepts the name used in JSON.
  package init?(command: String) {
    guard let name = Self.allCases.first(where: { $0.command == command || $0.rawValue == command }) else { return nil }
    self = name
  }
}
