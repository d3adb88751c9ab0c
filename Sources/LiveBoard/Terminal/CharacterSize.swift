/// The size of a character in pixels.
package struct CharacterSize: Hashable, Sendable {
  /// At least 1.
  package let width: Int
  /// At least 1.
  package let height: Int

  /// Creates a size.
  package init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
  }

  /// Twice as tall as wide, as in nearly every terminal.
  package static let usual = CharacterSize(width: 10, height: 20)
}
