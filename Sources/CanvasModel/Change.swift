/// A key of a canvas or of the board, with its value before and after.
///
/// Undo reverses changes, the history keeps them, who follows a board is told them, and a cell draws them.
public struct Change: Hashable, Sendable {
  /// The canvas; `nil` for the board.
  public let canvas: CanvasID?
  /// Which key.
  public let key: Key
  /// The value before.
  public let old: Value
  /// The value after; another one.
  public let new: Value

  /// Makes one of its parts.
  public init(canvas: CanvasID?, key: Key, old: Value, new: Value) {
    (self.canvas, self.key, self.old, self.new) = (canvas, key, old, new)
  }

  /// The same with before and after exchanged.
  var reversed: Change { Change(canvas: canvas, key: key, old: new, new: old) }
}

/// What can change.
public enum Key: String, CaseIterable, Sendable {
  // Of a canvas.
  case isSelected, status, clip, cover, region
  // Of the board.
  case canvases, take, session
}

/// The value of a key.
public enum Value: Hashable, Sendable {
  /// There is none: no clip, no take, or no such canvas.
  case none
  case isSelected(Bool)
  case status(Status)
  case clip(Clip)
  case cover(Cover)
  case region(Region)
  /// The order of the canvases.
  case canvases([CanvasID])
  case take(Take)
  case session(SessionName)
}
