/// The frames that a sheet shows, and how they are arranged.
///
/// A sheet is one picture of many frames, its tiles, in rows from the top left. A storyboard is a series of sheets with
/// a tile for each interval of a clip. A contact sheet is drawn from a sheet with a single column, whose tiles follow
/// one another in memory.
package struct SheetPlan: Hashable, Sendable {
  /// Which frames are shown.
  package enum Frames: Hashable, Sendable {
    /// One for each interval, in seconds, that begins before the end of the clip.
    case every(Double)
    /// The given number of frames, spread evenly between 1 and 99 % of the clip.
    case spread(Int)
    /// Those at the given positions.
    case at([RequestedTime.Position])
  }

  /// The number of tiles in a row.
  package var columns: Int
  /// The number of rows.
  package var rows: Int
  /// Which frames are shown.
  package var frames: Frames
  /// The number of this sheet in its series, from 0.
  package var number = 0
  /// Whether a tile shows the last key frame that is not later than its time, which is found without decoding the
  /// frames between them, unless that key frame is two intervals or more earlier.
  package var usesKeyFrames = true
  /// Whether the sheet has room for all tiles of the plan even if the clip has fewer.
  package var isPadded = false
  /// The size of all tiles; `nil` for the size of the first frame, within the limit of the request.
  package var tileSize: SizeLimit?
  /// Whether the tiles are described, so that they can be compared with those of other clips.
  package var comparesTiles = false
  /// The half of the tiles to decode, if two decoders share the work on the sheet; `nil` for all of them.
  package var half: Half?

  /// A half of the tiles of a sheet; the halves need not be equal.
  package enum Half: String, Codable, Sendable {
    /// The tiles of the first series.
    case first
    /// The tiles of the second series; none if there is only one.
    case second
  }

  /// The numbers of columns, and of rows, that a sheet may have.
  package static let sides = 1...20
  /// The longest side of a sheet, in pixels.
  package static let maximumSide = 16_384
  /// The maximum number of pixels of a sheet.
  package static let maximumPixels = 50_000_000
  /// The largest number of tiles that a sheet may have.
  package static let maximumCapacity = sides.upperBound * sides.upperBound
  /// The intervals that a storyboard may have, in seconds.
  package static let intervals = 0.1...86_400
  /// The maximum number of tiles of all sheets of a storyboard.
  package static let maximumTiles = 20_000

  /// Creates a plan for the first sheet of a storyboard.
  ///
  /// - Parameters:
  ///   - columns: The number of tiles in a row, within ``sides``.
  ///   - rows: The number of rows, within ``sides``.
  ///   - interval: The time between two tiles in seconds, within ``intervals``.
  package init(columns: Int, rows: Int, interval: Double) {
    (self.columns, self.rows, frames) = (columns, rows, .every(interval))
  }

  /// Creates a plan for the tiles of a contact sheet, in a single column.
  ///
  /// Without an interval, there are at most ``maximumCapacity`` frames. Those at positions are exact.
  package init(_ frames: Frames) {
    self.frames = frames
    if case .at = frames { usesKeyFrames = false }
    columns = 1
    rows = frames.count ?? Self.maximumCapacity
  }

  /// Whether all values are in their ranges.
  package var isValid: Bool {
    let isGrid = Self.sides.contains(columns) && Self.sides.contains(rows)
    let isColumn = columns == 1 && (1...Self.maximumCapacity).contains(rows)
    return (isGrid || isColumn) && frames.isValid && (0..<Self.maximumTiles).contains(number)
  }

  /// The time between two tiles in seconds; 0 if it depends on the clip.
  package var interval: Double {
    guard case .every(let interval) = frames else { return 0 }
    return interval
  }

  /// The number of tiles that the sheet has room for.
  package var capacity: Int { columns * rows }

  /// Returns the number of tiles of all sheets of a clip.
  ///
  /// - Parameter duration: The duration of the clip in seconds.
  package func tileCount(duration: Double) -> Int {
    // A clip that ends within a millisecond of a tile's time does not need that tile.
    frames.count ?? max(1, Int(min(((duration - 0.001) / interval).rounded(.up), 1e9)))
  }

  /// Returns the number of sheets of a clip, of at most ``maximumTiles`` tiles in all.
  ///
  /// - Parameter duration: The duration of the clip in seconds.
  package func sheetCount(duration: Double) -> Int {
    (min(Self.maximumTiles, tileCount(duration: duration)) + capacity - 1) / capacity
  }

  /// Returns the times of the tiles of this sheet, in seconds from the start of the clip, each later
  /// than the one before.
  ///
  /// - Parameter duration: The duration of the clip in seconds. If it is unknown, the sheet is full of frames at
  ///   intervals, and other times that depend on it are 0.
  package func times(duration: Double?) -> [Double] {
    switch frames {
    case .every(let interval):
      let first = number * capacity
      let end = min(duration.map { tileCount(duration: $0) } ?? .max, first + capacity)
      return (first..<max(first, end)).map { Double($0) * interval }
    case .spread(let count):
      let duration = duration ?? 0
      let gap = Self.gap(between: count, duration: duration)
      return rising((0..<count).map { duration * (count == 1 ? 0.5 : 0.01) + Double($0) * gap })
    case .at(let positions):
      let times = positions.map { position in
        switch position {
        case .seconds(let seconds): seconds
        case .percent(let share): (duration ?? 0) * share / 100
        }
      }
      return rising(times)
    }
  }

  /// Whether the tiles are decoded in two series, because there are enough of them.
  ///
  /// Decoding starts again with the second series, so that the tiles are the same whether one decoder decodes
  /// both or two share them.
  ///
  /// - Parameter count: The number of tiles of the sheet.
  package static func hasTwoSeries(_ count: Int) -> Bool { count >= minimumTilesToShare }

  /// The least number of tiles that are decoded in two series.
  private static let minimumTilesToShare = 4

  /// Whether the sheet may have enough tiles to be shared by two decoders.
  package var mayBeShared: Bool { half == nil && min(frames.count ?? capacity, capacity) >= Self.minimumTilesToShare }

  /// Returns the plan for a half of the tiles, which follow one another in a single column.
  package func column(of half: Half) -> SheetPlan {
    var plan = self
    (plan.rows, plan.columns) = (capacity, 1)
    (plan.half, plan.isPadded) = (half, false)
    return plan
  }

  private func rising(_ times: [Double]) -> [Double] { Set(times).sorted() }

  /// Returns the time between two tiles, in seconds; for frames at positions, which are independent of one another, the
  /// longest interval.
  ///
  /// - Parameter duration: The duration of the clip in seconds, if it is known.
  package func gap(duration: Double?) -> Double {
    switch frames {
    case .every(let interval): interval
    case .spread(let count): Self.gap(between: count, duration: duration ?? 0)
    case .at: Self.intervals.upperBound
    }
  }

  /// Whether the times depend on the duration of the clip, apart from where they end.
  package var dependsOnDuration: Bool {
    switch frames {
    case .every: false
    case .spread: true
    case .at(let positions): positions.contains(where: \.isPercent)
    }
  }

  /// Whether a frame is shown only once, even if it is that of several times.
  package var isWithoutRepeats: Bool {
    if case .every = frames { return false }
    return true
  }

  private static func gap(between count: Int, duration: Double) -> Double {
    count == 1 ? duration : duration * 0.98 / Double(count - 1)
  }

  /// Returns the size of a sheet.
  ///
  /// - Parameters:
  ///   - tiles: The number of its tiles, at least 1.
  ///   - tile: The size of a tile.
  package func size(tiles: Int, tile: PixelSize) -> PixelSize {
    let (columns, rows) =
      isPadded ? (columns, rows) : (min(tiles, columns), (tiles + columns - 1) / columns)
    return PixelSize(width: columns * tile.width, height: rows * tile.height)
  }
}

extension SheetPlan.Frames {
  /// The number of frames; `nil` if it depends on the duration.
  var count: Int? {
    switch self {
    case .every: nil
    case .spread(let count): count
    case .at(let positions): positions.count
    }
  }

  var isValid: Bool {
    switch self {
    case .every(let interval): SheetPlan.intervals.contains(interval)
    case .spread, .at: (1...SheetPlan.maximumCapacity).contains(count ?? 0)
    }
  }
}

extension SheetPlan: Codable {
  private enum CodingKeys: String, CodingKey {
    case columns, rows, interval, spread, number, tileSize, half
    case positions = "at"
    case usesKeyFrames = "keyFrames"
    case isPadded = "padded"
    case comparesTiles = "compares"
  }

  /// Decodes a plan written by ``encode(to:)``; fails if a value is out of range.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    columns = try container.decode(Int.self, forKey: .columns)
    rows = try container.decode(Int.self, forKey: .rows)
    frames = try Self.frames(in: container)
    number = try container.decode(Int.self, forKey: .number)
    usesKeyFrames = try container.decode(Bool.self, forKey: .usesKeyFrames)
    isPadded = try container.decode(Bool.self, forKey: .isPadded)
    tileSize = container.contains(.tileSize) ? try container.decodeText(SizeLimit.self, forKey: .tileSize) : nil
    comparesTiles = try container.decodeIfPresent(Bool.self, forKey: .comparesTiles) ?? false
    half = try container.decodeIfPresent(Half.self, forKey: .half)
    guard isValid else {
      let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "the plan is out of range")
      throw DecodingError.dataCorrupted(context)
    }
  }

  private static func frames(in container: KeyedDecodingContainer<CodingKeys>) throws -> Frames {
    if let count = try container.decodeIfPresent(Int.self, forKey: .spread) { return .spread(count) }
    guard let texts = try container.decodeIfPresent([String].self, forKey: .positions) else {
      return .every(try container.decode(Double.self, forKey: .interval))
    }
    let positions = texts.compactMap(RequestedTime.Position.init)
    guard positions.count == texts.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .positions,
        in: container,
        debugDescription: "the positions are not readable"
      )
    }
    return .at(positions)
  }

  /// Writes all values.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(columns, forKey: .columns)
    try container.encode(rows, forKey: .rows)
    switch frames {
    case .every(let interval): try container.encode(interval, forKey: .interval)
    case .spread(let count): try container.encode(count, forKey: .spread)
    case .at(let positions): try container.encode(positions.map(\.description), forKey: .positions)
    }
    try container.encode(number, forKey: .number)
    try container.encode(usesKeyFrames, forKey: .usesKeyFrames)
    try container.encode(isPadded, forKey: .isPadded)
    try container.encodeIfPresent(tileSize?.description, forKey: .tileSize)
    try container.encodeIfPresent(comparesTiles ? true : nil, forKey: .comparesTiles)
    try container.encodeIfPresent(half, forKey: .half)
  }
}
