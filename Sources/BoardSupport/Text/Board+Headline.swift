package import CanvasModel

extension Board {
  /// A summary of the board: `revision 7 · recording on c2 · 4 canvases`.
  package var headline: String {
    let focus = session.focus.map { " on \(DisplayName.of($0))" } ?? ""
    let count = "\(canvases.count) \(canvases.count == 1 ? "canvas" : "canvases")"
    return "revision \(revision) · \(session.name.rawValue)\(focus) · \(count)"
  }
}
