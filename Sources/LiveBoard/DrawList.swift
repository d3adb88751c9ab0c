internal import BoardView
internal import Synchronization

/// The view's surface, which collects the canvases to draw in the next frame.
final class DrawList: CanvasSurface {
  private let faces = Mutex<[Int: CanvasFace]>([:])

  func draw(_ face: CanvasFace, at index: Int) { faces.withLock { $0[index] = face } }

  /// Returns the canvases to draw, sorted by index, and empties the list.
  func take() -> [(index: Int, face: CanvasFace)] {
    let taken = faces.withLock { faces in
      defer { faces = [:] }
      return faces
    }
    return taken.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
