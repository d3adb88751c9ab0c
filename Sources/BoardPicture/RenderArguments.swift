internal import BoardText
internal import CanvasModel
internal import Covers
internal import SystemPackage

/// The arguments of the program, which `clipcanvas render` gives it.
///
/// Read by hand: what a person writes is read by `clipcanvas`, which tells what is wrong with it.
struct RenderArguments {
  /// The file of the board.
  private(set) var board: FilePath = "board.json"
  /// Where the picture goes; `-` for standard output.
  private(set) var output: FilePath = "-"
  private(set) var size = PictureSize.usual
  /// Where the canvases lie; `nil` for where the board has them.
  private(set) var layout: Layout?
  /// Whether a file that is no picture of a board is replaced.
  private(set) var isForced = false
  /// Whether what was made is told as JSON.
  private(set) var tellsJSON = false
  /// For one cover, in seconds.
  private(set) var timeout = 30
  /// How the decoder is locked in.
  private(set) var sandbox = SandboxMode.auto

  /// - Parameter arguments: As `RawArguments` carries them.
  init(_ arguments: some Sequence<String>) throws(RenderFailure) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--board": board = try Self.value(of: argument, rest.next(), Self.path)
      case "--output": output = try Self.value(of: argument, rest.next(), Self.path)
      case "--size": size = try Self.value(of: argument, rest.next(), PictureSize.init)
      case "--layout": layout = try Self.value(of: argument, rest.next(), Layout.init)
      case "--timeout": timeout = try Self.value(of: argument, rest.next()) { Int($0) }
      case "--sandbox": sandbox = try Self.value(of: argument, rest.next(), SandboxMode.init)
      case "--force": isForced = true
      case "--json": tellsJSON = true
      default: throw .usage("'\(argument)' means nothing here; run 'clipcanvas render --help' instead")
      }
    }
  }

  private static func value<Value>(
    of option: String,
    _ text: String?,
    _ read: (String) -> Value?
  ) throws(RenderFailure) -> Value {
    guard let value = text.flatMap(read) else {
      throw .usage("\(option) takes something else; run 'clipcanvas render --help' instead")
    }
    return value
  }

  private static func path(_ text: String) -> FilePath? {
    text.isEmpty ? nil : FilePath(platformString: RawArguments.bytes(of: text).map { CChar(bitPattern: $0) } + [0])
  }
}
