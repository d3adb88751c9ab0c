/// An arrangement of canvases, either named or a grid; the regions are filled in order.
package enum Layout: Codable, Hashable, Sendable {
  /// A grid, row by row; see ``Region/grid(columns:rows:)``.
  case grid(columns: Int, rows: Int)
  /// Two side by side.
  case two
  /// One in the left half, and two stacked in the right half.
  case oneLeftTwoRight
  /// Two rows of two.
  case four
  /// Three rows of three.
  case nine

  /// The maximum number of regions of a grid parsed from text.
  package static let maximumRegions = 10_000

  /// The layouts that have a name.
  package static let named: [Layout] = [.two, .oneLeftTwoRight, .four, .nine]

  /// The regions, in order.
  package var regions: [Region] {
    switch self {
    case .grid(let columns, let rows): Region.grid(columns: columns, rows: rows)
    case .two: Region.grid(columns: 2, rows: 1)
    case .oneLeftTwoRight:
      [(0, 0, 0.5, 1), (0.5, 0, 0.5, 0.5), (0.5, 0.5, 0.5, 0.5)].compactMap { x, y, width, height in
        Region(x: x, y: y, width: width, height: height)
      }
    case .four: Region.grid(columns: 2, rows: 2)
    case .nine: Region.grid(columns: 3, rows: 3)
    }
  }
}

extension Layout: LosslessStringConvertible {
  /// Parses the name of a layout, or a grid such as `3x2` (columns first).
  package init?(_ text: String) {
    guard let layout = Self.named.first(where: { $0.description == text }) ?? Self.grid(text) else { return nil }
    self = layout
  }

  /// The text that parses to the layout.
  package var description: String {
    switch self {
    case .grid(let columns, let rows): "\(columns)x\(rows)"
    case .two: "two"
    case .oneLeftTwoRight: "one-left-two-right"
    case .four: "four"
    case .nine: "nine"
    }
  }

  private static func grid(_ text: String) -> Layout? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let columns = sides[0], let rows = sides[1] else { return nil }
    let allowed = 1...maximumRegions
    guard allowed.contains(columns), allowed.contains(rows), columns * rows <= maximumRegions else { return nil }
    return .grid(columns: columns, rows: rows)
  }
}
