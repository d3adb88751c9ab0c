internal import ArgumentParser
internal import BoardStore
package import BoardSupport
internal import ClipService
internal import Covers
internal import Glibc

extension LiveArguments.Pictures: ExpressibleByArgument {}

/// `clipcanvas board live`.
///
/// The view is a separate program, so that its libraries do not slow down the other commands.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Show and change the board in a full-screen view with keys and mouse.",
    discussion: """
      Arrow keys move the cursor, Enter or a click taps, r starts or stops a recording, p pauses or resumes it, d \
      pressed twice discards it, i imports a clip, C makes failed and missing covers again, n adds a canvas, D makes \
      taps remove canvases, u undoes, ? shows all keys, q quits. Changes made by other processes appear immediately.
      """
  )

  @OptionGroup var board: BoardOptions
  @Option(
    help: ArgumentHelp(
      "How to draw covers; auto uses the best method that the terminal supports.",
      valueName: "kind"
    )
  )
  var pictures = LiveArguments.Pictures.auto
  @Flag(help: "Show how many cells, registrations and redraws there are.") var debug = false

  func run() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw CommandError(
        .cannotContinue,
        "cannot show the board live: this is not a terminal; \(board.file.command("show")) prints the board"
      )
    }
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    guard !["", "dumb"].contains(terminal) else {
      let type = terminal.isEmpty ? "without a type (TERM)" : "of type '\(terminal)'"
      throw CommandError(
        .cannotContinue,
        "cannot show the board live: a terminal \(type) cannot show a full-screen view; "
          + "\(board.file.command("show")) prints the board"
      )
    }
    // Errors of the board are reported by this program, as by all other commands.
    _ = try board.read()
    let arguments = LiveArguments(board: board.file.path, pictures: pictures, showsCounters: debug)
    try ProgramLocation.view.replaceProcess(passing: ViewArguments.live(arguments))
  }
}
