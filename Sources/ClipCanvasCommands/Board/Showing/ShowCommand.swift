internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Glibc

/// `clipcanvas board show`.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a board as a drawing, or as a table if the terminal is narrow.",
    usage: "clipcanvas board show [<options>]"
  )

  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let board = try board.read().board
    guard !json else { return Console.print(json: JSON(showing: board).line) }
    let style = BoardDrawing.Style(hasColours: Self.hasColours)
    let drawing = BoardDrawing(board, now: .now, style: style)
    Console.print(board.headline)
    for line in drawing.lines(width: Self.terminalWidth) { Console.print(verbatim: line) }
  }

  private static var hasColours: Bool {
    func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isatty(STDOUT_FILENO) == 1 && value("NO_COLOR").isEmpty && !["", "dumb"].contains(value("TERM"))
  }

  /// The width of the terminal in columns; otherwise the value of `COLUMNS`, or 80.
  private static var terminalWidth: Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return getenv("COLUMNS").flatMap { UInt16(String(cString: $0)) }.map(Int.init) ?? 80
  }
}
