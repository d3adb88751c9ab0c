/// Input from a terminal.
package enum Input: Hashable, Sendable {
  case key(Key)
  /// A byte of pasted text.
  case pasted(UInt8)
  /// A mouse button is pressed, or the wheel is turned.
  case mouse(MouseEvent)

  /// A key.
  package enum Key: Hashable, Sendable {
    case up, down, left, right
    case home, end, pageUp, pageDown
    case enter, escape, tab, backspace
    /// A printing character or a space.
    case character(Character)
    /// A byte that is not part of a UTF-8 character.
    case byte(UInt8)
  }

  /// A mouse action.
  package enum MouseAction: Hashable, Sendable {
    case press
    case wheelUp, wheelDown
  }

  /// A mouse action and its position.
  package struct MouseEvent: Hashable, Sendable {
    /// The action.
    package let action: MouseAction
    /// The column, counted from 0 at the left.
    package let column: Int
    /// The row, counted from 0 at the top.
    package let row: Int

    /// Creates a mouse event.
    package init(_ action: MouseAction, column: Int, row: Int) {
      (self.action, self.column, self.row) = (action, column, row)
    }
  }
}
