internal import BoardSupport
internal import CanvasModel
internal import Covers

extension CommandError {
  /// Creates the error for a canvas that a board does not have.
  init(unknown canvas: CanvasID, canvases: [CanvasID]) {
    let names = canvases.map { DisplayName.of($0) }
    let list = names.count > 8 ? names.prefix(7) + ["…", names[names.count - 1]] : names[...]
    self.init(
      .refused,
      "no canvas '\(DisplayName.of(canvas))'; "
        + (names.isEmpty ? "this board has none" : "this board has \(list.joined(separator: ", "))")
    )
  }
}
