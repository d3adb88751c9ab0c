package import Covers

/// The arguments of `clipcanvas-view`.
package enum ViewArguments: PassedArguments, Hashable {
  /// Shows the board in the terminal.
  case live(LiveArguments)
  /// Makes a picture of the board.
  case render(RenderArguments)
  /// Composes the clips of the board into a video.
  case export(ExportArguments)
  /// Draws a contact sheet: reads the pixels of its frames from standard input, and writes those of the
  /// sheet to standard output.
  case sheet(ContactSheet)

  /// The commands that run the program.
  package static let commands = "'clipcanvas board live' or 'clipcanvas board render'"
}
