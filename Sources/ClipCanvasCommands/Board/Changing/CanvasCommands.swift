internal import ArgumentParser
internal import BoardSupport
internal import CanvasModel

/// `clipcanvas board canvas`.
struct CanvasCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "canvas",
    abstract: "Add, remove and move canvases.",
    subcommands: [AddCommand.self, RemoveCommand.self, MoveCommand.self]
  )

  /// `clipcanvas board canvas add`.
  struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a canvas at the end.",
      usage: "clipcanvas board canvas add [<options>] [<canvas>]"
    )

    @Argument(help: "The name of the canvas (default: the next unused one of c1, c2, …).") var canvas: CanvasArgument?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The region of the canvas, in fractions of the screen from 0 to 1 (default: a free place; without one, all canvases form a new grid).",
        valueName: "x,y,width,height"
      ),
      transform: { try RegionArgument.region($0) }
    )
    var region: Region?

    @OptionGroup var options: ChangeOptions

    func validate() throws {
      guard let id = canvas?.id, !id.isValid else { return }
      throw ValidationError("'\(DisplayName.of(id))' is not a canvas name: \(Reason.badCanvasID.message())")
    }

    func run() throws {
      try options.send { board in .addCanvas(canvas?.id ?? board.nextID, region) }
    }
  }

  /// `clipcanvas board canvas remove`.
  struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a canvas. The file of its clip is kept, and undo restores the canvas.",
      usage: "clipcanvas board canvas remove [<options>] <canvas>"
    )

    @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
    @OptionGroup var options: ChangeOptions

    func run() throws { try options.send(.removeCanvas(canvas.id)) }
  }

  /// `clipcanvas board canvas move`.
  struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "move",
      abstract: "Move a canvas to another position in the order.",
      usage: "clipcanvas board canvas move [<options>] <canvas> <position>",
      discussion: """
        Lists, the keys of the live board, and 'board export --order sequence' follow the order. A canvas keeps its place
        on the board.
        """
    )

    @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
    @Argument(help: "Its new position, counted from 0.", transform: OptionValue.whole("<position>", 0...Int.max))
    var position: Int
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
      throw InvalidValue("'\(text)' is not a region: use x,y,width,height from 0 to 1, such as 0.5,0,0.5,1")
    }
    return region
  }
}
