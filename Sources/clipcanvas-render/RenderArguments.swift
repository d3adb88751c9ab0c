import BoardText
import CanvasModel
import Covers
import Files
import SystemPackage

/// The arguments that `clipcanvas render` passes to the program.
///
/// They are parsed by hand: `clipcanvas` has already parsed the user's arguments and reported any errors.
struct RenderArguments {
  /// The path of the board's file.
  private(set) var board: FilePath = "board.json"
  /// The path of the picture; `-` for standard output.
  private(set) var output: FilePath = "-"
  private(set) var size = PictureSize.usual
  /// The layout of the canvases; `nil` for the board's own regions.
  private(set) var layout: Layout?
  /// Whether to replace a file that is not a picture of a board.
  private(set) var isForced = false
  /// Whether to print the report as JSON.
  private(set) var tellsJSON = false
  /// The timeout for one cover, in seconds.
  private(set) var timeout = 30
  /// The decoder's sandbox mode.
  private(set) var sandbox = SandboxMode.auto

  /// - Parameter arguments: The arguments, encoded by `RawArguments`.
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
