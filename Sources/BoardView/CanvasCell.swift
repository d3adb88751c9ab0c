internal import CanvasModel
public import KeyValueObserving
internal import Synchronization

/// The content of a cell that shows a canvas.
///
/// It observes the display keys of the canvas, and the board's session, because that affects what every canvas shows.
/// A notification only marks the cell; it is drawn after all notifications of a change, and only if its appearance
/// changed.
public final class CanvasCell: CellContent {
  /// The keys of a canvas that the cell draws.
  public static let displayKeys: [ObservedKey<CanvasState>] = [
    ObservedKey(\.isSelected, name: "isSelected"),
    ObservedKey(\.status, name: "status"),
    ObservedKey(\.clip, name: "clip"),
    ObservedKey(\.cover, name: "cover"),
    ObservedKey(\.take, name: "take"),
  ]

  /// The number of keys of the session that the cell also observes.
  public static let sessionKeys = 1

  private let session: Observed<SessionState>
  private let marks: CellMarks
  private let state = Mutex(State())

  private struct State {
    var canvas: CanvasState?
    var index = 0
    /// What was last drawn on the surface; `nil` if the cell has to be redrawn.
    var drawn: CanvasFace?
    var sessionObservation: Observation?
  }

  init(session: Observed<SessionState>, marks: CellMarks) {
    (self.session, self.marks) = (session, marks)
  }

  /// The index of the cell's canvas among all canvases, from 0.
  var index: Int { state.withLock { $0.index } }

  /// Stores the newest state of the canvas and marks the cell.
  public func draw(_ drawing: Drawing<CanvasState>) {
    state.withLock { state in
      state.canvas = drawing.model
      if drawing.isFirst { state.drawn = nil }
    }
    marks.mark(self)
  }

  /// Starts observing the session.
  public func willDisplay(at place: CellPlace) {
    let observation = session.observe(\.name) { [weak self, marks] _ in
      if let self { marks.mark(self) }
    }
    state.withLock { state in
      state.index = place.index
      state.sessionObservation = observation
    }
  }

  /// Marks the cell to be drawn at its new position.
  public func didMove(to place: CellPlace) {
    state.withLock { state in
      state.index = place.index
      state.drawn = nil
    }
    marks.mark(self)
  }

  /// Stops observing the session.
  public func didEndDisplaying() {
    let observation = state.withLock { state in
      defer { state = State() }
      return state.sessionObservation
    }
    observation?.cancel()
  }

  /// Marks the cell to be redrawn, because its content on the surface was lost.
  func forget() {
    state.withLock { $0.drawn = nil }
    marks.mark(self)
  }

  /// Draws the cell if it is visible and its appearance changed.
  ///
  /// - Returns: Whether the cell was drawn.
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

/// The cells whose appearance may have changed.
final class CellMarks: Sendable {
  private let cells = Mutex<[ObjectIdentifier: CanvasCell]>([:])

  func mark(_ cell: CanvasCell) { cells.withLock { $0[ObjectIdentifier(cell)] = cell } }

  /// Returns all marked cells, sorted by index, and clears the marks.
  func take() -> [CanvasCell] {
    let marked = cells.withLock { cells in
      defer { cells = [:] }
      return Array(cells.values)
    }
    return marked.sorted { $0.index < $1.index }
  }
}
