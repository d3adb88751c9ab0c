internal import CanvasModel
public import KeyValueObserving
internal import Synchronization

/// The content of a cell that shows a canvas.
///
/// It observes the canvas by its display keys, and the board's session, as that has a say in what every canvas shows.
/// A notice only marks the cell; it is drawn when the change is told whole, and only if it then looks different.
public final class CanvasCell: CellContent {
  /// What it draws of a canvas.
  public static let displayKeys: [ObservedKey<CanvasState>] = [
    ObservedKey(\.isSelected, name: "isSelected"),
    ObservedKey(\.status, name: "status"),
    ObservedKey(\.clip, name: "clip"),
    ObservedKey(\.cover, name: "cover"),
    ObservedKey(\.take, name: "take"),
  ]

  /// How many keys of the session it observes besides.
  public static let sessionKeys = 1

  private let session: Observed<SessionState>
  private let marks: CellMarks
  private let state = Mutex(State())

  private struct State {
    var canvas: CanvasState?
    var index = 0
    /// What is on the surface; `nil` when that is no good any more.
    var drawn: CanvasFace?
    var sessionObservation: Observation?
  }

  init(session: Observed<SessionState>, marks: CellMarks) {
    (self.session, self.marks) = (session, marks)
  }

  /// Where the cell stands among all canvases, from 0.
  var index: Int { state.withLock { $0.index } }

  /// Takes the newest version of the canvas.
  public func draw(_ drawing: Drawing<CanvasState>) {
    state.withLock { state in
      state.canvas = drawing.model
      if drawing.isFirst { state.drawn = nil }
    }
    marks.mark(self)
  }

  /// Begins to observe the session.
  public func willDisplay(at place: CellPlace) {
    let observation = session.observe(\.name) { [weak self, marks] _ in
      if let self { marks.mark(self) }
    }
    state.withLock { state in
      state.index = place.index
      state.sessionObservation = observation
    }
  }

  /// Draws itself at its new place.
  public func didMove(to place: CellPlace) {
    state.withLock { state in
      state.index = place.index
      state.drawn = nil
    }
    marks.mark(self)
  }

  /// Ends to observe the session.
  public func didEndDisplaying() {
    let observation = state.withLock { state in
      defer { state = State() }
      return state.sessionObservation
    }
    observation?.cancel()
  }

  /// What is on the surface is gone.
  func forget() {
    state.withLock { $0.drawn = nil }
    marks.mark(self)
  }

  /// Draws what it shows, unless that is there already or the cell is out of sight.
  ///
  /// - Returns: Whether it did.
  func drawIfChanged(on surface: some CanvasSurface) -> Bool {
    let session = session.snapshot
    let next = state.withLock { state -> (CanvasFace, Int)? in
      guard let canvas = state.canvas else { return nil }
      let face = CanvasFace(canvas, session: session)
      guard face != state.drawn else { return nil }
      state.drawn = face
      return (face, state.index)
    }
    guard let (face, index) = next else { return false }
    surface.draw(face, at: index)
    return true
  }
}

/// The cells that may look different.
final class CellMarks: Sendable {
  private let cells = Mutex<[ObjectIdentifier: CanvasCell]>([:])

  func mark(_ cell: CanvasCell) { cells.withLock { $0[ObjectIdentifier(cell)] = cell } }

  /// All of them by their places; then none is marked.
  func take() -> [CanvasCell] {
    let marked = cells.withLock { cells in
      defer { cells = [:] }
      return Array(cells.values)
    }
    return marked.sorted { $0.index < $1.index }
  }
}
