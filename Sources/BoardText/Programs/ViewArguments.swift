public import Covers
internal import Files

/// The arguments of `clipcanvas-view`, which `clipcanvas` runs in its own place: one value, passed as JSON.
///
/// Only `clipcanvas` parses a command line.
public enum ViewArguments: Codable, Hashable, Sendable {
  /// Shows the board in the terminal.
  case live(LiveArguments)
  /// Makes a picture of the board.
  case render(RenderArguments)
  /// Composes the clips of the board into a video.
  case export(ExportArguments)
  /// Draws a contact sheet: reads the pixels of its frames from standard input, and writes those of the sheet to standard
  /// output.
  case sheet(ContactSheet)

  /// The program's only argument.
  public var argument: String {
    get throws { String(decoding: try CanonicalJSON.line(self), as: UTF8.self) }
  }

  /// Returns the arguments of this process.
  ///
  /// - Throws: ``CommandError`` when `clipcanvas` did not run it.
  public static func ofProcess() throws(CommandError) -> ViewArguments {
    try ViewArguments(RawArguments.ofProcess())
  }

  /// Reads the arguments of a process.
  ///
  /// - Parameter arguments: The arguments, in the encoding of `RawArguments`.
  package init(_ arguments: [String]) throws(CommandError) {
    guard let argument = arguments.first, arguments.count == 1,
      let value = try? CanonicalJSON.decode(Self.self, from: RawArguments.bytes(of: argument))
    else {
      throw CommandError(
        .usage,
        "this program only runs as part of clipcanvas; run 'clipcanvas board live' or 'clipcanvas board render' instead"
      )
    }
    self = value
  }
}
