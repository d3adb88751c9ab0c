internal import ArgumentParser
internal import BoardText
internal import CanvasModel

/// `clipcanvas canvas`.
struct CanvasCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "canvas",
    abstract: "Add, remove and move canvases.",
    subcommands: [AddCommand.self, RemoveCommand.self, MoveCommand.self]
  )

  /// `clipcanvas canvas add`.
  struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a canvas at the end.",
      usage: "clipcanvas canvas add [<options>] [<canvas>]"
    )

    @Argument(help: "Its name; the next free one of c1, c2 and so on, unless told.") var canvas: CanvasArgument?

    @Option(
      help: ArgumentHelp(
        "Where it lies, as shares of the screen (0 to 1); the whole, unless told.",
        valueName: "x,y,width,height"
      ),
      transform: { try RegionArgument.region($0) }
    )
    var region = Region.whole

    @OptionGroup var options: ChangeOptions

    func run() throws {
      try options.send { board in .addCanvas(canvas?.id ?? board.nextID, region) }
    }
  }

  /// `clipcanvas canvas remove`.
  struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a canvas; its clip's file stays, and undo brings the canvas back.",
      usage: "clipcanvas canvas remove [<options>] <canvas>"
    )

    @Argument(help: "The canvas, as c1.") var canvas: CanvasArgument
    @OptionGroup var options: ChangeOptions

    func run() throws { try options.send(.removeCanvas(canvas.id)) }
  }

  /// `clipcanvas canvas move`.
  struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "move",
      abstract: "Move a canvas in the order.",
      usage: "clipcanvas canvas move [<options>] <canvas> <position>"
    )

    @Argument(help: "The canvas, as c1.") var canvas: CanvasArgument
    @Argument(help: "Its new position, counted from 0.") var position: Int
    @OptionGroup var options: ChangeOptions

    func run() throws { try options.send(.moveCanvas(canvas.id, to: position)) }
  }
}

/// A region as a command-line argument.
enum RegionArgument {
  static func region(_ text: String) throws -> Region {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 4, let x = parts[0], let y = parts[1], let width = parts[2], let height = parts[3],
      let region = Region(x: x, y: y, width: width, height: height)
    else {
      throw ValidationError("'\(text)' is no region: write x,y,width,height from 0 to 1, as 0.5,0,0.5,1.")
    }
    return region
  }
}
