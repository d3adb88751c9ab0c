/// A change to a key of a canvas or of the board, with its old and new value.
///
/// Undo reverses changes, the history stores them, observers of a board receive them, and cells draw them.
package struct Change: Hashable, Sendable {
  /// The canvas; `nil` for a key of the board.
  package let canvas: CanvasID?
  /// The key that changed.
  package let key: Key
  /// The value before the change.
  package let old: Value
  /// The value after the change, which differs from the old one.
  package let new: Value

  /// Creates a change.
  package init(canvas: CanvasID?, key: Key, old: Value, new: Value) {
    (self.canvas, self.key, self.old, self.new) = (canvas, key, old, new)
  }

  /// The path of the take that was added or removed; `nil` for other keys, which have one value.
  package var takePath: String? {
    switch (old, new) {
    case (.keptTake(let take), _), (_, .keptTake(let take)): take.clip.file.path
    default: nil
    }
  }

  /// The change with the old and new values swapped.
  var reversed: Change { Change(canvas: canvas, key: key, old: new, new: old) }
}

/// A key that can change.
package enum Key: String, CaseIterable, Sendable {
  // Keys of a canvas.
  case isSelected, status, clip, cover, region
  /// A take of the canvas: each added or removed one is a change.
  case takes
  /// The index of the canvas, in a history; outcomes report ``canvases`` instead.
  case position
  // Keys of the board.
  /// The order of the canvases.
  case canvases
  case take, session
}

/// The value of a key.
package enum Value: Hashable, Sendable {
  /// The absence of a value: no clip, no take, or no such canvas.
  case none
  case isSelected(Bool)
  case status(Status)
  case clip(Clip)
  case cover(Cover)
  case keptTake(KeptTake)
  case region(Region)
  /// An index in the order of canvases, from 0.
  case position(Int)
  /// The order of the canvases.
  case canvases([CanvasID])
  case take(Take)
  case session(SessionName)
}
