internal import ArgumentParser
internal import BoardText
internal import CoverService
internal import Covers
internal import Files

/// `clipcanvas storyboard`.
struct StoryboardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storyboard",
    abstract: "Make sheets of small frames that a player shows while one seeks.",
    usage: "clipcanvas storyboard [<options>] <clip> ...",
    discussion: """
      The storyboard of a.mp4 is the folder a.mp4.storyboard beside it: 0.jpg, 1.jpg and so on, each with up to 100 \
      frames of the clip, and storyboard.vtt, which tells a player such as video.js, Plyr or JW Player where the frame \
      for each time is. With --layout jellyfin, the sheets are in 'a.trickplay/320 - 10x10', where Jellyfin looks for \
      them. A new storyboard replaces an old one in one step, and one that is already up to date is kept.

      A tile shows the key frame at or before its time, which is fast. Where key frames are more \
      than two tiles apart, and with --exact, the frames between them are decoded too.

      Examples:
        clipcanvas storyboard film.mkv
        clipcanvas storyboard --interval 2s --width 160 clip.mp4
        clipcanvas storyboard --layout jellyfin /media/films/*.mkv
      """
  )

  @Argument(help: ArgumentHelp("The clips to make storyboards of.", valueName: "clip"))
  var clips: [PathArgument]

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "The folder to create the storyboards in (default: the folder of each clip).",
      valueName: "dir"
    ),
    completion: .directory
  )
  var output: PathArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The time between two tiles (default: 10s).", valueName: "time"),
    transform: { try OptionValue.interval($0) }
  )
  var interval = 10.0

  @Option(
    help: ArgumentHelp("The columns and rows of a sheet (default: 10x10).", valueName: "CxR"),
    transform: { try OptionValue.grid($0) }
  )
  var tile = OptionValue.Grid(columns: 10, rows: 10)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The width of a tile in pixels (default: 320); frames that are narrower are not enlarged.",
      valueName: "pixels"
    ),
    transform: OptionValue.whole("--width", 1...StoryboardCommand.maximumWidth, "pixels")
  )
  var width = 320

  @Flag(help: "Show the frame at the time of each tile instead of the key frame before it.")
  var exact = false

  @Option(help: ArgumentHelp("The names of the files: webvtt or jellyfin.", valueName: "layout"))
  var layout = StoryboardOrder.Layout.webvtt

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The quality of the sheets, 1 to 100 (default: \(usualQuality)).", valueName: "number"),
    transform: OptionValue.whole("--quality", 1...100)
  )
  var quality = StoryboardCommand.usualQuality

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The video stream to use, by its number in the output of 'probe'.", valueName: "N"),
    transform: OptionValue.whole("--stream", 0...Int.max, "the number of a stream,")
  )
  var stream: Int?

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each clip.")
  var json = false

  @Flag(help: "Make storyboards that are up to date again.")
  var force = false

  private static let usualQuality = 80
  private static let maximumWidth = 1600
  /// How many times as high as wide a tile may be; most frames are far from that.
  private static let maximumShape = 4
  /// The time limit for a sheet, in seconds.
  private static let usualTimeout = 300

  func validate() throws {
    try PathArgument.rejectURLs(clips)
    let limit = SheetPlan.maximumSide
    guard tile.columns * width <= limit, tile.rows * width <= limit else {
      throw ValidationError(
        "a sheet of \(tile.columns)x\(tile.rows) tiles of \(width) pixels is larger than \(limit) pixels: choose a "
          + "smaller --width or --tile"
      )
    }
  }

  func run() async throws {
    if let output { try Folder.makeForCovers(at: output.path) }
    var plan = SheetPlan(columns: tile.columns, rows: tile.rows, interval: interval)
    plan.usesKeyFrames = !exact
    let height = min(Self.maximumShape * width, SheetPlan.maximumSide / tile.rows)
    var request = CoverRequest(size: SizeLimit(width: width, height: height) ?? .none)
    request.stream = stream
    request.quality = quality
    let orders = clips.map { clip in
      StoryboardOrder(
        clip: clip.path,
        in: output?.path,
        layout: layout,
        request: request,
        plan: plan,
        isForced: force
      )
    }
    var failures = 0
    try await decoder.service(usualTimeout: Self.usualTimeout).makeStoryboards(orders) { outcome in
      failures += outcome.hasStoryboard ? 0 : 1
      if json {
        JSONReport.print(outcome)
      } else {
        StoryboardReport.print(outcome)
      }
    }
    guard failures == 0 else { throw CommandError(.someFailed) }
  }
}
