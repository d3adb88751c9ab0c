/// The frames that a sheet shows, and how they are arranged.
///
/// A sheet is one picture of many frames, its tiles, in rows from the top left. A storyboard is a series of sheets with
/// a tile for each interval of a clip.
public struct SheetPlan: Hashable, Sendable {
  /// The number of tiles in a row.
  public var columns: Int
  /// The number of rows.
  public var rows: Int
  /// The time between two tiles, in seconds.
  public var interval: Double
  /// The number of this sheet in its series, from 0.
  public var number = 0
  /// Whether a tile shows the last key frame that is not later than its time, which is found without decoding the frames
  /// between them, unless that key frame is two intervals or more earlier.
  public var usesKeyFrames = true
  /// Whether the sheet has room for all tiles of the plan even if the clip has fewer.
  public var isPadded = false
  /// The size of all tiles; `nil` for the size of the first frame, within the limit of the request.
  public var tileSize: SizeLimit?

  /// The numbers of columns, and of rows, that a sheet may have.
  public static let sides = 1...20
  /// The longest side of a sheet, in pixels.
  public static let maximumSide = 16_384
  /// The maximum number of pixels of a sheet.
  public static let maximumPixels = 50_000_000
  /// The largest number of tiles that a sheet may have.
  public static let maximumCapacity = sides.upperBound * sides.upperBound
  /// The intervals that a storyboard may have, in seconds.
  public static let intervals = 0.1...86_400
  /// The maximum number of tiles of all sheets of a storyboard.
  public static let maximumTiles = 20_000

  /// Creates a plan for the first sheet of a storyboard.
  ///
  /// - Parameters:
  ///   - columns: The number of tiles in a row, within ``sides``.
  ///   - rows: The number of rows, within ``sides``.
  ///   - interval: The time between two tiles in seconds, within ``intervals``.
  public init(columns: Int, rows: Int, interval: Double) {
    (self.columns, self.rows, self.interval) = (columns, rows, interval)
  }

  /// Whether all values are in their ranges.
  public var isValid: Bool {
    Self.sides.contains(columns) && Self.sides.contains(rows) && Self.intervals.contains(interval)
      && (0..<Self.maximumTiles).contains(number)
  }

  /// The number of tiles for which the sheet has room.
  public var capacity: Int { columns * rows }

  /// Returns the number of tiles of all sheets of a clip: one for each interval that begins before its end.
  ///
  /// - Parameter duration: The duration of the clip in seconds.
  public func tileCount(duration: Double) -> Int {
    // A clip that ends within a millisecond of a tile's time does not need that tile.
    max(1, Int(min(((duration - 0.001) / interval).rounded(.up), 1e9)))
  }

  /// Returns the times of the tiles of this sheet, in seconds from the start of the clip.
  ///
  /// - Parameter duration: The duration of the clip in seconds; if it is unknown, the sheet is full.
  public func times(duration: Double?) -> [Double] {
    let first = number * capacity
    let end = min(duration.map { tileCount(duration: $0) } ?? .max, first + capacity)
    return (first..<max(first, end)).map { Double($0) * interval }
  }

  /// Returns the size of a sheet.
  ///
  /// - Parameters:
  ///   - tiles: The number of its tiles, at least 1.
  ///   - tile: The size of a tile.
  public func size(tiles: Int, tile: PixelSize) -> PixelSize {
    let (columns, rows) =
      isPadded ? (columns, rows) : (min(tiles, columns), (tiles + columns - 1) / columns)
    return PixelSize(width: columns * tile.width, height: rows * tile.height)
  }
}

extension SheetPlan: Codable {
  private enum CodingKeys: String, CodingKey {
    case columns, rows, interval, number, tileSize
    case usesKeyFrames = "keyFrames"
    case isPadded = "padded"
  }

  /// Decodes a plan written by ``encode(to:)``; fails if a value is out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    columns = try container.decode(Int.self, forKey: .columns)
    rows = try container.decode(Int.self, forKey: .rows)
    interval = try container.decode(Double.self, forKey: .interval)
    number = try container.decode(Int.self, forKey: .number)
    usesKeyFrames = try container.decode(Bool.self, forKey: .usesKeyFrames)
    isPadded = try container.decode(Bool.self, forKey: .isPadded)
    tileSize = container.contains(.tileSize) ? try container.decodeText(SizeLimit.self, forKey: .tileSize) : nil
    guard isValid else {
      let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "the plan is out of range")
      throw DecodingError.dataCorrupted(context)
    }
  }

  /// Writes all values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(columns, forKey: .columns)
    try container.encode(rows, forKey: .rows)
    try container.encode(interval, forKey: .interval)
    try container.encode(number, forKey: .number)
    try container.encode(usesKeyFrames, forKey: .usesKeyFrames)
    try container.encode(isPadded, forKey: .isPadded)
    try container.encodeIfPresent(tileSize?.description, forKey: .tileSize)
  }
}
