internal import BoardView
internal import Synchronization

/// The surface of the view: takes what is to be drawn, until the next frame is made of it.
final class DrawList: CanvasSurface {
  private let faces = Mutex<[Int: CanvasFace]>([:])

  func draw(_ face: CanvasFace, at index: Int) { faces.withLock { $0[index] = face } }

  /// What is to be drawn, by place; then nothing is.
  func take() -> [(index: Int, face: CanvasFace)] {
    let taken = faces.withLock { faces in
      defer { faces = [:] }
      return faces
    }
    return taken.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
