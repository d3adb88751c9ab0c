/// Where canvases lie, by a name or as a grid; the regions are filled in their order.
public enum Layout: Codable, Hashable, Sendable {
  /// Row after row; see ``Region/grid(columns:rows:)``.
  case grid(columns: Int, rows: Int)
  /// Two beside each other.
  case two
  /// One that takes the left half, and two above each other in the right one.
  case oneLeftTwoRight
  /// Two rows of two.
  case four
  /// Three rows of three.
  case nine

  /// A grid with more regions is not made of a text.
  public static let mostRegions = 10_000

  /// The layouts that have a name.
  public static let named: [Layout] = [.two, .oneLeftTwoRight, .four, .nine]

  /// The regions in their order.
  public var regions: [Region] {
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
  /// Reads a name, or a grid as `3x2`, columns first.
  public init?(_ text: String) {
    guard let layout = Self.named.first(where: { $0.description == text }) ?? Self.grid(text) else { return nil }
    self = layout
  }

  /// As a person types it.
  public var description: String {
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
    let allowed = 1...mostRegions
    guard allowed.contains(columns), allowed.contains(rows), columns * rows <= mostRegions else { return nil }
    return .grid(columns: columns, rows: rows)
  }
}
