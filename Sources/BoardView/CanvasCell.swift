public import CanvasModel
public import KeyValueObserving
internal import Synchronization

/// The content of a cell that shows a canvas.
///
/// A notice only marks the cell. It is drawn when ``BoardView/takeChanged()`` is called next, so once however often it
/// changed or moved until then.
public final class CanvasCell: CellContent {
  /// What it draws of a canvas.
  public static let displayKeys: [ObservedKey<CanvasFace>] = [
    ObservedKey(\.isSelected, name: "isSelected"),
    ObservedKey(\.shows, name: "shows"),
    ObservedKey(\.clip, name: "clip"),
    ObservedKey(\.cover, name: "cover"),
    ObservedKey(\.take, name: "take"),
    ObservedKey(\.isPaused, name: "isPaused"),
  ]

  private let marks: CellMarks
  private let state = Mutex(State())

  private struct State {
    /// `nil` when the cell is out of sight.
    var face: CanvasFace?
    var index = 0
  }

  init(marks: CellMarks) {
    self.marks = marks
  }

  /// What it shows and its place among all canvases, from 0; `nil` when it is out of sight.
  var drawing: (index: Int, face: CanvasFace)? {
    state.withLock { state in state.face.map { (state.index, $0) } }
  }

  /// Takes the newest version of the canvas.
  public func draw(_ drawing: Drawing<CanvasFace>) {
    state.withLock { $0.face = drawing.model }
    marks.mark(self)
  }

  /// Takes its place.
  public func willDisplay(at place: CellPlace) {
    state.withLock { $0.index = place.index }
  }

  /// Takes its new place, where it is to be drawn again.
  public func didMove(to place: CellPlace) {
    state.withLock { $0.index = place.index }
    marks.mark(self)
  }

  /// Shows nothing any more.
  public func didEndDisplaying() {
    state.withLock { $0.face = nil }
  }
}

/// The cells to draw.
final class CellMarks: Sendable {
  private let cells = Mutex<[ObjectIdentifier: CanvasCell]>([:])

  func mark(_ cell: CanvasCell) { cells.withLock { $0[ObjectIdentifier(cell)] = cell } }

  /// Takes all of them; then none is marked.
  func take() -> [CanvasCell] {
    cells.withLock { cells in
      defer { cells = [:] }
      return Array(cells.values)
    }
  }
}
