internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import CoverService

/// `clipcanvas new`.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make a board.",
    usage: "clipcanvas new [<options>]"
  )

  @Option(help: ArgumentHelp("How many canvases, in a grid that is about as wide as high (4).", valueName: "N"))
  var canvases: Int?

  @Option(
    help: ArgumentHelp("A grid of canvases: columns x rows, as 3x2.", valueName: "CxR"),
    transform: { try Grid($0) }
  )
  var grid: Grid?

  @Flag(help: "Replace a board that is there.") var force = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var lock: LockOptions

  func validate() throws {
    guard canvases == nil || grid == nil else { throw ValidationError("Name '--canvases' or '--grid', not both.") }
    guard (1...Grid.mostCanvases).contains(canvases ?? 1) else {
      throw ValidationError("'--canvases' takes 1 to \(Grid.mostCanvases).")
    }
  }

  func run() throws {
    let file = board.file
    let new = grid.map { Board(columns: $0.columns, rows: $0.rows) } ?? Board(regions: Grid.regions(canvases ?? 4))
    do {
      try file.create(new, replaces: force, lockTimeout: lock.duration)
    } catch {
      throw error.told(of: file)
    }
    Console.print("made \(file.path.displayText) with \(new.canvases.count) canvases")
  }
}

/// A grid on the command line.
struct Grid {
  let columns: Int
  let rows: Int

  static let mostCanvases = 10_000

  init(_ text: String) throws {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1], columns >= 1, rows >= 1,
      columns <= Self.mostCanvases, rows <= Self.mostCanvases, columns * rows <= Self.mostCanvases
    else {
      throw ValidationError("'\(text)' is no grid: write columns x rows, as 3x2, with at most \(Self.mostCanvases).")
    }
    (self.columns, self.rows) = (columns, rows)
  }

  /// A number of regions in a grid that is about as wide as high; its last row may have gaps.
  static func regions(_ count: Int) -> [Region] {
    let columns = Board.squareColumns(of: count)
    return Array(Region.grid(columns: columns, rows: (count + columns - 1) / columns).prefix(count))
  }
}
