internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas board new`.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create a board.",
    usage: "clipcanvas board new [<options>]"
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of canvases, in a roughly square grid (default: 4).", valueName: "N"),
    transform: OptionValue.whole("--canvases", 1...Layout.maximumRegions)
  )
  var canvases: Int?

  @OptionGroup var layout: LayoutOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum side of the board's covers, in pixels (default: the longest side of a canvas on a 4K screen).",
      valueName: "N"
    ),
    transform: OptionValue.whole("--cover-size", Board.coverSides)
  )
  var coverSize: Int?
  @Flag(help: "Print a JSON object.") var json = false
  @Flag(help: "Replace an existing board.") var force = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var lock: LockOptions

  func validate() throws {
    guard canvases == nil || layout.layout == nil else {
      throw ValidationError("use '--canvases' or '--\(layout.grid == nil ? "layout" : "grid")', not both")
    }
  }

  func run() throws {
    let file = board.file
    let regions = layout.layout?.regions ?? Region.squareGrid(of: canvases ?? 4)
    let new = Board(regions: regions, coverSide: coverSize)
    do {
      try file.create(new, replaces: force, lockTimeout: lock.duration)
    } catch .failed(_, _, .noSuchFileOrDirectory) {
      throw CommandError(
        .cannotContinue,
        "cannot create the board \(file.path.displayText): there is no folder \(file.folder.displayText); create it first"
      )
    } catch .failed(let operation, let path, let error) where FileIdentity(of: file.path) == nil {
      throw CommandError(
        .cannotContinue,
        "cannot create the board \(file.path.displayText): cannot \(operation) \(path.displayText): \(error.message); "
          + "specify another place with --board"
      )
    } catch {
      throw CommandError(error, of: file)
    }
    guard !json else {
      let record = JSON.object([
        "board": .string(file.path.displayText), "canvases": JSON(new.canvases.count),
        "coverSize": JSON(new.effectiveCoverSide),
      ])
      return Console.print(json: record.line)
    }
    Console.print("created \(file.path.displayText) with \(Board.count(new.canvases.count))")
  }
}
