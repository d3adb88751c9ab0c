internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Glibc
internal import SystemPackage

/// `clipcanvas board render`.
///
/// A separate program makes the picture, so that its libraries do not slow down the other commands.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Make a picture of the board as a PNG.",
    usage: "clipcanvas board render [<options>] -o <file>",
    discussion: """
      Canvases are arranged as on the board, or by --grid or --layout; the board is not changed. A cover fills its \
      canvas, or is shown whole on a blurred background if too much would be cut off, such as an upright one on a wide \
      canvas. The other symbols: a plus for no clip, a viewfinder with a green dot for preview, a red disc in a ring for \
      recording, two bars for paused, a square for a stopped recording that awaits its clip, three dots for a pending \
      cover, and a crossed-out picture for no cover. The selected canvas has a red border. A small triangle marks a clip \
      that plays while another canvas records.

      By default, a canvas shows its name and that of its clip. --labels full adds the duration of the clip, that of an \
      open recording at this moment, and the reason for a missing cover. Canvases that are too small have no text.

      A missing or damaged cover is reported on standard error and shown crossed out; the exit status is still 0.

      Examples:
        clipcanvas board render -o board.png
        clipcanvas board render --size 3840x2160 --layout four -o board.png
        clipcanvas board render --labels full --theme light -o board.png
        clipcanvas board render -o - | display -
      """
  )

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("The output file, or - for standard output.", valueName: "file")
  )
  var output: PathArgument

  @Option(
    help: ArgumentHelp("The size of the picture in pixels (default: \(PictureSize.usual)).", valueName: "WxH"),
    transform: { try Self.size($0) }
  )
  var size = PictureSize.usual

  @Option(
    help: ArgumentHelp("What is written on the canvases: none, names or full.", valueName: "name")
  )
  var labels = BoardStyle().labels

  @Option(help: ArgumentHelp("The colours: light or dark.", valueName: "name"))
  var theme = BoardStyle().theme

  @OptionGroup var layout: LayoutOptions
  @OptionGroup var board: BoardOptions
  @OptionGroup(title: "Decoder options") var decoder: DecoderOptions
  @Flag(help: "Print a JSON object.") var json = false
  @Flag(help: "Replace a file that is not a picture of a board.") var force = false

  func validate() throws {
    guard !output.namesFolder else { throw ValidationError("'-o' takes a file, but the name ends with /") }
    try output.checkExtension(noun: "picture of a board", ["png"])
    guard output.path == "-" else { return }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw ValidationError("'-o -' would write a picture to the terminal; redirect it to a file or a program")
    }
    guard !json else { throw ValidationError("'--json' and '-o -' both write to standard output; use one of them") }
  }

  func run() throws {
    var style = BoardStyle()
    (style.labels, style.theme) = (labels, theme)
    let arguments = RenderArguments(
      board: board.file.path,
      output: output.path,
      size: size,
      layout: layout.layout,
      style: style,
      isForced: force,
      reportsJSON: json,
      timeout: decoder.timeout,
      sandbox: decoder.sandbox
    )
    try ProgramLocation.view.replaceProcess(passing: ViewArguments.render(arguments))
  }

  private static func size(_ text: String) throws -> PictureSize {
    guard let size = PictureSize(text) else {
      throw InvalidValue("'\(text)' is not a picture size: use \(PictureSize.forms)")
    }
    return size
  }
}
