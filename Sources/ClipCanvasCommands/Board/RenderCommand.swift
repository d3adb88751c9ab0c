internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import CoverService
internal import Covers
internal import Glibc
internal import SystemPackage

/// `clipcanvas board render`.
///
/// A separate program makes the picture, so that its libraries do not slow down the other commands.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Make a picture of the board, as a PNG.",
    usage: "clipcanvas board render [<options>] -o <file>",
    discussion: """
      Canvases lie where the board has them, or as --grid or --layout says; the board stays as it is. A cover fills its \
      canvas. The signs: a plus for no clip, a triangle in a ring for preview, a red disc in a ring for recording, two \
      bars for paused, a square for a recording whose clip is awaited, three dots for a cover that is still to be made, a \
      struck-through frame for none. A red border marks the selected canvas; a small triangle, a clip that plays while \
      another canvas records.

      A cover that is gone or damaged is told on standard error and shown struck through; the exit status is 0.

      Examples:
        clipcanvas render -o board.png
        clipcanvas render --size 3840x2160 --layout one-left-two-right -o board.png
        clipcanvas render -o - | display -
      """
  )

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("Where the picture goes: a file, or - for standard output.", valueName: "file")
  )
  var output: PathArgument

  @Option(
    help: ArgumentHelp("The size of the picture in pixels (\(PictureSize.usual)).", valueName: "WxH"),
    transform: { try Self.size($0) }
  )
  var size = PictureSize.usual

  @OptionGroup var layout: LayoutOptions
  @OptionGroup var board: BoardOptions
  @OptionGroup(title: "Decoder options") var decoder: DecoderOptions
  @Flag(help: "Print a JSON object.") var json = false
  @Flag(help: "Replace a file that is no picture of a board.") var force = false

  func validate() throws {
    guard !output.namesFolder else { throw ValidationError("'-o' takes a file, and what ends in / is a folder.") }
    guard output.path == "-" else { return }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw ValidationError("'-o -' would write a picture to the terminal; send it to a file or a program.")
    }
    guard !json else { throw ValidationError("'--json' and '-o -' both write to standard output; use one of them.") }
  }

  func run() throws {
    let arguments = RenderArguments(
      board: board.file.path,
      output: output.path,
      size: size,
      layout: layout.layout,
      isForced: force,
      reportsJSON: json,
      timeout: decoder.timeout,
      sandbox: decoder.sandbox
    )
    try ProgramLocation.render.replaceProcess(passing: arguments)
  }

  private static func size(_ text: String) throws -> PictureSize {
    guard let size = PictureSize(text) else {
      throw ValidationError("'\(text)' is no size of a picture: write \(PictureSize.words).")
    }
    return size
  }
}
