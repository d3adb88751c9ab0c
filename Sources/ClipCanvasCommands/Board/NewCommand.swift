internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Files

/// `clipcanvas new`.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make a board.",
    usage: "clipcanvas new [<options>]"
  )

  @Option(help: ArgumentHelp("How many canvases, in a grid that is about as wide as high (4).", valueName: "N"))
  var canvases: Int?

  @OptionGroup var layout: LayoutOptions
  @Flag(help: "Replace a board that is there.") var force = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var lock: LockOptions

  func validate() throws {
    guard canvases == nil || layout.layout == nil else {
      throw ValidationError("Name '--canvases' or '--\(layout.grid == nil ? "layout" : "grid")', not both.")
    }
    guard (1...Layout.mostRegions).contains(canvases ?? 1) else {
      throw ValidationError("'--canvases' takes 1 to \(Layout.mostRegions).")
    }
  }

  func run() throws {
    let file = board.file
    let new = Board(regions: layout.layout?.regions ?? Board.squareRegions(canvases ?? 4))
    do {
      try file.create(new, replaces: force, lockTimeout: lock.duration)
    } catch {
      throw error.told(of: file)
    }
    Console.print("made \(file.path.displayText) with \(new.canvases.count) canvases")
  }
}
