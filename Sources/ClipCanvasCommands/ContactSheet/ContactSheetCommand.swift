internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import SystemPackage

/// `clipcanvas sheet`.
struct ContactSheetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Make a contact sheet of each clip: many frames in one picture.",
    usage: "clipcanvas sheet [<options>] <clip> ...",
    discussion: """
      The contact sheet of a.mp4 is a.mp4.sheet.png beside it, unless -o names another place. It shows twelve frames from \
      1% to 99% of the clip, each with its time, below the name of the clip, its duration, size, codec and frame rate. A \
      sheet that is already up to date is kept.

      Where a key frame is near the time of a frame, the key frame is shown, which is fast; --exact and --at show the frame \
      at exactly that time.

      Examples:
        clipcanvas sheet film.mkv
        clipcanvas sheet --grid 5x8 --size 256 --theme dark film.mkv
        clipcanvas sheet --interval 30s -o sheets/ *.mp4
        clipcanvas sheet --at 10%,50%,90% --no-header -o three.jpg clip.mov
      """
  )

  @Argument(
    help: ArgumentHelp("The clips to make contact sheets of; - reads one from standard input.", valueName: "clip")
  )
  var clips: [PathArgument]

  @OptionGroup
  private var outputOption: OutputOption

  @OptionGroup(title: "Sheet options")
  var sheet: ContactSheetOptions

  @Flag(help: "Show the frame at each time instead of the key frame before it.")
  var exact = false

  @OptionGroup
  private var streamOption: StreamOption

  @OptionGroup
  var encoding: EncodingOptions

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each clip.")
  var json = false

  @Flag(help: "Make sheets even if they are up to date, and replace files that clipcanvas did not make.")
  var force = false

  private var places: PicturePlaces<CoverFormat> {
    PicturePlaces(output: outputOption.output, count: clips.count, format: encoding.format)
  }

  func validate() throws {
    try PathArgument.rejectURLs(clips)
    try encoding.validate(for: places.format)
    try places.validate(clips, noun: "contact sheet", printsJSON: json)
  }

  private var request: CoverRequest {
    var request = sheet.request(isExact: exact)
    streamOption.apply(to: &request)
    request.format = places.format
    request.quality = encoding.quality ?? CoverRequest.usualQuality
    return request
  }

  func run() async throws {
    let artist = try SheetArtist.ofProgram()
    var orders = try places.orders(request, of: clips, isForced: force, asJSON: json)
    for index in orders.indices { orders[index].artist = artist }
    try await decoder.make(orders) { outcome in
      PictureReport.print(outcome, asJSON: json, onlyProblems: places.isStandardOutput)
    }
  }
}

extension SheetArtist {
  /// Returns the artist that uses the installed program.
  static func ofProgram() throws -> SheetArtist {
    SheetArtist(program: try ProgramLocation.view.find()) { try ViewArguments.sheet($0).argument }
  }
}
