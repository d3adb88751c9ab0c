/// The size of a character in pixels.
public struct CharacterSize: Hashable, Sendable {
  /// At least 1.
  public let width: Int
  /// At least 1.
  public let height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
  }

  /// Twice as tall as wide, as in nearly every terminal.
  public static let usual = CharacterSize(width: 10, height: 20)
}
