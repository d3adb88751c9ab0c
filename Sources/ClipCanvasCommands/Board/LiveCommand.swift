public import ArgumentParser
internal import BoardStore
public import BoardText
internal import CoverService
internal import Covers
internal import Glibc

extension LiveArguments.Pictures: ExpressibleByArgument {}

/// `clipcanvas board live`.
///
/// The view is a separate program, so that its libraries do not slow down the other commands.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Show the board full screen in the terminal, and work on it by keys and mouse.",
    discussion: """
      Arrow keys move the cursor, enter or a click taps, r records or stops, p pauses or goes on, d discards, u undoes, \
      n adds a canvas, ? shows all keys, q leaves. What other processes do to the board is seen at once.
      """
  )

  @OptionGroup var board: BoardOptions
  @Option(
    help: ArgumentHelp(
      "What covers are made of; auto takes the best that the terminal is known to show.",
      valueName: "kind"
    )
  )
  var pictures = LiveArguments.Pictures.auto
  @Flag(help: "Show how many cells, registrations and drawings there are.") var debug = false

  func run() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw CommandError(
        .cannotContinue,
        "cannot show the board live: this is not a terminal; 'clipcanvas board show' prints it"
      )
    }
    // Errors of the board are reported by this program, as by all other commands.
    _ = try board.read()
    let arguments = LiveArguments(board: board.file.path, pictures: pictures, showsCounters: debug)
    try ProgramLocation.live.replaceProcess(passing: arguments)
  }
}
