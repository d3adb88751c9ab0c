internal import ArgumentParser
internal import ClipService
internal import Covers

/// The options for the sheets of storyboards.
struct SheetOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The time between two tiles of a storyboard (default: 10s).", valueName: "time"),
    transform: { try OptionValue.interval($0) }
  )
  private var interval: Double?

  @Option(
    help: ArgumentHelp("The columns and rows of a sheet (default: 10x10).", valueName: "CxR"),
    transform: { try OptionValue.grid($0) }
  )
  private var tile: OptionValue.Grid?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The width of a tile in pixels (default: 320); frames that are narrower are not enlarged.",
      valueName: "pixels"
    ),
    transform: OptionValue.whole("--width", 1...Self.maximumWidth, "pixels")
  )
  private var width: Int?

  @Option(
    help: ArgumentHelp("The names of a storyboard's files: webvtt or jellyfin (default: webvtt).", valueName: "layout")
  )
  private var layout: StoryboardRequest.Layout?

  private static let usualInterval = 10.0
  private static let usualTile = OptionValue.Grid(columns: 10, rows: 10)
  private static let usualWidth = 320
  static let usualQuality = 80
  private static let maximumWidth = 1600
  /// How many times as high as wide a tile may be; most frames are far from that.
  private static let maximumShape = 4

  /// The first option that the user has given, if any.
  var firstGiven: String? {
    [
      interval == nil ? nil : "--interval", tile == nil ? nil : "--tile", width == nil ? nil : "--width",
      layout == nil ? nil : "--layout",
    ]
    .compactMap(\.self).first
  }

  func validate() throws {
    let (limit, tile, width) = (SheetPlan.maximumSide, tile ?? Self.usualTile, width ?? Self.usualWidth)
    guard tile.columns * width <= limit, tile.rows * width <= limit else {
      throw ValidationError(
        "a sheet of \(tile.columns)x\(tile.rows) tiles of \(width) pixels is larger than \(limit) pixels: choose a "
          + "smaller --width or --tile"
      )
    }
  }

  /// Returns the request for a storyboard.
  ///
  /// - Parameters:
  ///   - isExact: Whether tiles show the frame at their time instead of the key frame before it.
  ///   - stream: The options that select the video stream.
  ///   - quality: The quality of the sheets, 1 to 100.
  func request(isExact: Bool, stream: StreamOption, quality: Int = usualQuality) -> StoryboardRequest {
    let (tile, width) = (tile ?? Self.usualTile, width ?? Self.usualWidth)
    var plan = SheetPlan(columns: tile.columns, rows: tile.rows, interval: interval ?? Self.usualInterval)
    plan.usesKeyFrames = !isExact
    let height = min(Self.maximumShape * width, SheetPlan.maximumSide / tile.rows)
    var picture = CoverRequest(size: SizeLimit(width: width, height: height) ?? .none)
    stream.apply(to: &picture)
    picture.quality = quality
    return StoryboardRequest(layout: layout ?? .webvtt, plan: plan, picture: picture)
  }
}
