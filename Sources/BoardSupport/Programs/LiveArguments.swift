package import SystemPackage

/// What `clipcanvas board live` passes to `clipcanvas-view`.
package struct LiveArguments: Codable, Hashable, Sendable {
  /// What covers are drawn with.
  package enum Pictures: String, CaseIterable, Codable, Sendable {
    case auto, symbols, sixel, kitty, none
  }

  /// The board's file.
  @ExactPath package var board: FilePath
  /// What covers are drawn with.
  package var pictures: Pictures
  /// Whether counters are shown.
  package var showsCounters: Bool

  /// Creates the arguments.
  package init(board: FilePath, pictures: Pictures, showsCounters: Bool) {
    (self.board, self.pictures, self.showsCounters) = (board, pictures, showsCounters)
  }
}
