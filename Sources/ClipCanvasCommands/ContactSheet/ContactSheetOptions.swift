internal import ArgumentParser
internal import Covers

/// The options that specify a contact sheet.
struct ContactSheetOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The columns and rows (default: twelve frames, arranged to suit their shape).",
      valueName: "CxR"
    ),
    transform: { try OptionValue.grid($0) }
  )
  var grid: OptionValue.Grid?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of frames in a row, without fixing the number of rows.", valueName: "number"),
    transform: OptionValue.whole("--columns", SheetPlan.sides)
  )
  var columns: Int?

  @Option(
    name: .customLong("at"),
    parsing: .unconditional,
    help: ArgumentHelp("The times of the frames, separated by commas: 10%,50%,1m30s.", valueName: "times"),
    transform: { try OptionValue.positions($0) }
  )
  var times: [RequestedTime.Position]?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show a frame for each interval of this length.", valueName: "time"),
    transform: { try OptionValue.interval($0) }
  )
  var interval: Double?

  @Option(
    help: ArgumentHelp(
      "The box that each frame must fit into, in pixels (default: \(Self.usualSize)); frames are never enlarged.",
      valueName: "WxH|N"
    ),
    transform: { try OptionValue.size($0) }
  )
  var size: SizeLimit?

  @Option(help: ArgumentHelp("The colours: light or dark.", valueName: "name"))
  var theme = SheetStyle.Theme.light

  @Flag(inversion: .prefixedNo, help: "Write the name and properties of the clip above the frames.")
  var header = true

  @Flag(inversion: .prefixedNo, help: "Write its time on each frame.")
  var timestamps = true

  /// The box of a frame, if none is requested.
  private static let usualSize = 400
  /// The number of frames, if it is not requested.
  private static let usualCount = 12

  func validate() throws {
    let ways = [
      grid == nil ? nil : "--grid", times == nil ? nil : "--at", interval == nil ? nil : "--interval",
    ]
    .compactMap(\.self)
    guard ways.count < 2 else {
      let hint = grid == nil ? "" : "; '--columns' sets only the number of frames in a row"
      throw ValidationError(
        "'\(ways[0])' and '\(ways[1])' both decide how many frames there are: use one of them\(hint)"
      )
    }
    guard grid == nil || columns == nil else {
      throw ValidationError("'--grid' already sets the number of columns: leave out '--columns'")
    }
  }

  /// Returns the request for a contact sheet in PNG.
  ///
  /// - Parameter isExact: Whether each frame is the one at its time, instead of the key frame before it.
  func request(isExact: Bool) -> CoverRequest {
    let frames: SheetPlan.Frames =
      if let times {
        .at(times)
      } else if let interval {
        .every(interval)
      } else {
        .spread(grid.map { $0.columns * $0.rows } ?? Self.usualCount)
      }
    var style = SheetStyle()
    (style.theme, style.hasHeader, style.hasTimestamps) = (theme, header, timestamps)
    style.columns = grid?.columns ?? columns
    return Self.request(frames, style: style, size: size, isExact: isExact || times != nil)
  }

  /// Returns the request for a contact sheet without options; see ``request(isExact:)``.
  static func usualRequest(isExact: Bool) -> CoverRequest {
    request(.spread(usualCount), style: SheetStyle(), size: nil, isExact: isExact)
  }

  private static func request(
    _ frames: SheetPlan.Frames,
    style: SheetStyle,
    size: SizeLimit?,
    isExact: Bool
  ) -> CoverRequest {
    var request = CoverRequest(size: size ?? SizeLimit(width: usualSize, height: usualSize) ?? .none)
    var plan = SheetPlan(frames)
    plan.usesKeyFrames = !isExact
    (request.sheet, request.style) = (plan, style)
    return request
  }
}
