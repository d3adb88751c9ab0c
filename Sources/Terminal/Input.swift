/// What a person does at a terminal.
public enum Input: Hashable, Sendable {
  case key(Key)
  /// A button of the mouse goes down, or its wheel turns.
  case mouse(MouseEvent)

  /// A key.
  public enum Key: Hashable, Sendable {
    case up, down, left, right
    case home, end, pageUp, pageDown
    case enter, escape, tab, backspace
    /// A printing character, the space too.
    case character(Character)
  }

  /// What the mouse does.
  public enum MouseAction: Hashable, Sendable {
    case press
    case wheelUp, wheelDown
  }

  /// What the mouse does where.
  public struct MouseEvent: Hashable, Sendable {
    /// What it does.
    public let action: MouseAction
    /// From the left, counted from 0.
    public let column: Int
    /// From the top, counted from 0.
    public let row: Int

    /// Makes one of its parts.
    public init(_ action: MouseAction, column: Int, row: Int) {
      (self.action, self.column, self.row) = (action, column, row)
    }
  }
}
