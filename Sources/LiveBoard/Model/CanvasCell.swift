package import CanvasModel
package import KeyValueObserving
internal import Synchronization

/// The content of a cell that shows a canvas.
///
/// A notification only marks the cell. ``BoardView/takeChanged()`` takes the marked cells, so a cell is drawn once,
/// however many times it changed or moved before.
package final class CanvasCell: CellContent {
  /// The keys of a canvas that the cell draws.
  package static let displayKeys: [ObservedKey<CanvasFace>] = [
    ObservedKey(\.isSelected, name: "isSelected"),
    ObservedKey(\.shows, name: "shows"),
    ObservedKey(\.clip, name: "clip"),
    ObservedKey(\.cover, name: "cover"),
    ObservedKey(\.take, name: "take"),
    ObservedKey(\.isPaused, name: "isPaused"),
  ]

  private let marks: CellMarks
  private let status: Observed<BoardStatus>
  private let state = Mutex(State())

  private struct State {
    /// `nil` if the cell is not visible.
    var face: CanvasFace?
    var index = 0
    /// The observation of the mode of the screen.
    var following: Observation?
  }

  init(marks: CellMarks, status: Observed<BoardStatus>) {
    (self.marks, self.status) = (marks, status)
  }

  /// What the cell shows, and the index of its canvas among all canvases; `nil` if the cell is not visible.
  var drawing: (index: Int, face: CanvasFace)? {
    state.withLock { state in state.face.map { (state.index, $0) } }
  }

  /// Stores the newest state of the canvas and marks the cell.
  package func draw(_ drawing: Drawing<CanvasFace>) {
    state.withLock { $0.face = drawing.model }
    marks.mark(self)
  }

  /// Stores the position, and follows the mode of the screen.
  package func willDisplay(at place: CellPlace) {
    state.withLock { $0.index = place.index }
    follow()
  }

  /// Marks the cell to be drawn at its new position.
  package func didMove(to place: CellPlace) {
    state.withLock { $0.index = place.index }
    marks.mark(self)
  }

  /// Stops showing the canvas and following the mode.
  package func didEndDisplaying() {
    state.withLock { $0.face = nil }
    stopFollowing()
  }

  /// Marks the cell whenever the mode of the screen changes.
  func follow() {
    let following = status.observe(\.isRemoving) { [weak self] _ in
      if let self { marks.mark(self) }
    }
    state.withLock { $0.following = following }
  }

  func stopFollowing() {
    let former = state.withLock { $0.following.take() }
    former?.cancel()
  }
}

/// The cells whose appearance may have changed.
final class CellMarks: Sendable {
  private let cells = Mutex<[ObjectIdentifier: CanvasCell]>([:])

  func mark(_ cell: CanvasCell) { cells.withLock { $0[ObjectIdentifier(cell)] = cell } }

  /// Returns all marked cells and clears the marks.
  func take() -> [CanvasCell] {
    cells.withLock { cells in
      defer { cells = [:] }
      return Array(cells.values)
    }
  }
}
