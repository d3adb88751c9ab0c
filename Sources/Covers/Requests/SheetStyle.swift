/// The appearance of a contact sheet.
package struct SheetStyle: Codable, Hashable, Sendable {
  /// The colours of the ground and the text.
  package enum Theme: String, Codable, Sendable, CaseIterable {
    case light
    case dark
  }

  /// The colours of the ground and the text.
  package var theme = Theme.light
  /// The number of frames in a row, within `SheetPlan.sides`; `nil` for a number that suits the shape of the frames.
  package var columns: Int?
  /// Whether the name and the facts of the clip are written above the frames.
  package var hasHeader = true
  /// Whether each frame shows its time.
  package var hasTimestamps = true

  /// Creates the usual style.
  package init() {}

  /// Whether text is drawn, which needs fonts.
  package var hasText: Bool { hasHeader || hasTimestamps }

  /// Returns the number of frames in a row.
  ///
  /// - Parameters:
  ///   - count: The number of frames.
  ///   - tile: The size of a frame.
  package func columns(for count: Int, of tile: PixelSize) -> Int {
    guard columns == nil else { return min(columns ?? 1, count) }
    // The sheet should be about twice as wide as high, with few gaps at the end of the last row.
    let ideal = (2 * Double(count * tile.height) / Double(tile.width)).squareRoot()
    let most = min(count, SheetPlan.sides.upperBound)
    func score(_ columns: Int) -> Double {
      let (width, gaps) = (Double(columns), Double((columns - count % columns) % columns))
      return max(width / ideal, ideal / width) + gaps / width / 2
    }
    return (1...max(1, most)).min { score($0) < score($1) } ?? 1
  }
}
