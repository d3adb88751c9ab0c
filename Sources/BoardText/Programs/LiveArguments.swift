public import SystemPackage

/// What `clipcanvas board live` passes to `clipcanvas-view`.
public struct LiveArguments: Codable, Hashable, Sendable {
  /// What covers are drawn with.
  public enum Pictures: String, CaseIterable, Codable, Sendable {
    case auto, symbols, sixel, kitty, none
  }

  /// The board's file.
  @ExactPath public var board: FilePath
  /// What covers are drawn with.
  public var pictures: Pictures
  /// Whether counters are shown.
  public var showsCounters: Bool

  /// Creates the arguments.
  public init(board: FilePath, pictures: Pictures, showsCounters: Bool) {
    (self.board, self.pictures, self.showsCounters) = (board, pictures, showsCounters)
  }
}
