internal import ArgumentParser
internal import BoardStore
package import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas board export`.
///
/// The program that draws boards makes the video, so that its libraries do not slow down the other commands.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Compose the clips of all canvases into one video.",
    usage: "clipcanvas board export [<options>] -o <file>",
    discussion: """
      Each clip plays in the place of its canvas, as in the picture that 'clipcanvas board render' makes; canvases \
      without a clip show a plus. The video is an MP4 file with H.264 (BT.709) and AAC. Clips are turned upright, \
      deinterlaced and converted from HDR to SDR like covers.

      Before its turn, a canvas shows its cover. The sounds of all clips are mixed: each is lowered by the square root of \
      the number of those that play together, and a limiter prevents clipping.

      A clip that cannot be read is reported, and its canvas shows the cover; the exit status is then 1. An existing file \
      is replaced only with --force, and in one step. A board may have up to \(VideoRequest.maximumCanvases) canvases.

      Examples:
        clipcanvas board export -o board.mp4
        clipcanvas board export --order sequence --after cover -o board.mp4
        clipcanvas board export --fps 29.97 --length 15 --after loop -o board.mp4
        clipcanvas board export --pan c1=-0.5 --pan c2=0.5 --mute c3 -o board.mp4
      """
  )

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("The video to write; the name must end in .mp4 or .m4v.", valueName: "file")
  )
  var output: PathArgument

  @Option(
    help: ArgumentHelp(
      "The size of the video in pixels, both even (default: the shape that suits the board and its clips best, with as "
        + "many pixels as 1920x1080).",
      valueName: "WxH"
    ),
    transform: { try OptionValue.value(VideoSize($0), of: $0, "a video size", VideoSize.forms) }
  )
  var size: VideoSize?

  @Option(
    help: ArgumentHelp("The number of frames per second (default: \(FrameRate.usual)).", valueName: "rate"),
    transform: { try OptionValue.value(FrameRate($0), of: $0, "a frame rate", FrameRate.forms) }
  )
  var fps = FrameRate.usual

  @Option(
    help: ArgumentHelp(
      "When clips play: together, or in sequence, one after another in board order.",
      valueName: "order"
    )
  )
  var order = ExportArguments.Order.together

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The end of the video: when all clips have ended (longest), when the first has (shortest), or after a duration, such as 15, 90s or 10m (default: longest).",
      valueName: "length"
    ),
    transform: { try Self.length($0) }
  )
  var length = ExportArguments.Length.longest

  @Option(
    help: ArgumentHelp(
      "What a canvas shows after its clip: hold (the last frame), loop (the clip again), cover or plus.",
      valueName: "what"
    )
  )
  var after = ExportArguments.After.hold

  @Option(
    help: ArgumentHelp(
      "The balance of a clip's sound, from -1 (only its left channel) to 1 (only its right one); may be given for several "
        + "canvases.",
      valueName: "canvas=balance"
    ),
    transform: { try Self.pan($0) }
  )
  var pan: [Pan] = []

  @Option(help: ArgumentHelp("A canvas whose clip is muted; may be given several times.", valueName: "canvas"))
  var mute: [CanvasArgument] = []

  @Option(
    help: ArgumentHelp("The quality, from 1 to 100 (default: \(ExportArguments.usualQuality)).", valueName: "number"),
    transform: OptionValue.whole("--quality", 1...100)
  )
  var quality = ExportArguments.usualQuality

  @Option(help: ArgumentHelp("The colours: light or dark.", valueName: "name"))
  var theme = BoardStyle().theme

  @Flag(help: "Put the index first, so that the video plays while it is downloaded; the file is written twice.")
  var faststart = false

  @OptionGroup var layout: LayoutOptions
  @OptionGroup var board: BoardOptions
  @OptionGroup(title: "Composer options") var composer: ComposerOptions
  @Flag(help: "Print a JSON object.") var json = false
  @Flag(help: "Replace an existing file.") var force = false

  func validate() throws {
    guard ["mp4", "m4v"].contains(output.path.lastComponent?.extension?.lowercased()) else {
      throw ValidationError("'-o \(output.path.displayText)' is not the name of an exported video: use .mp4 or .m4v")
    }
  }

  func run() throws {
    var arguments = ExportArguments(board: board.file.path, output: output.path)
    (arguments.size, arguments.frameRate, arguments.layout) = (size, fps, layout.layout)
    (arguments.order, arguments.length, arguments.after) = (order, length, after)
    arguments.pans = Dictionary(pan.map { ($0.canvas, $0.position) }) { _, last in last }
    arguments.muted = Set(mute.map(\.id.description))
    (arguments.quality, arguments.theme) = (quality, theme)
    (arguments.isIndexFirst, arguments.isForced, arguments.reportsJSON) = (faststart, force, json)
    (arguments.timeout, arguments.sandbox) = (composer.timeout, composer.sandbox)
    try ProgramLocation.view.replaceProcess(passing: ViewArguments.export(arguments))
  }
}

// MARK: - Values

extension ExportCommand {
  /// The position of a canvas's sound.
  struct Pan {
    let canvas: String
    let position: Double
  }

  private static func length(_ text: String) throws -> ExportArguments.Length {
    switch text {
    case "longest": return .longest
    case "shortest": return .shortest
    default:
      let seconds = OptionValue.seconds(text).flatMap { (0.001...86_400).contains($0) ? $0 : nil }
      let forms = "longest, shortest, or a duration up to a day, such as 15, 90s or 10m"
      return .seconds(try OptionValue.value(seconds, of: text, "a length", forms))
    }
  }

  private static func pan(_ text: String) throws -> Pan {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let position = parts.count == 2 && !parts[0].isEmpty ? Double(parts[1]) : nil
    let forms = "a canvas and a number from -1 to 1, such as c1=-0.5"
    let valid = position.flatMap { (-1...1).contains($0) ? Pan(canvas: String(parts[0]), position: $0) : nil }
    return try OptionValue.value(valid, of: text, "a balance", forms)
  }
}

extension ExportArguments.Order: ExpressibleByArgument {}
extension ExportArguments.After: ExpressibleByArgument {}
