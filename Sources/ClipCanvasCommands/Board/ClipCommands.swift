internal import ArgumentParser
internal import CanvasModel

/// `clipcanvas clip`.
struct ClipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clip",
    abstract: "Bring clips to canvases, and take them away.",
    subcommands: [ImportCommand.self, RemoveCommand.self]
  )

  /// `clipcanvas clip import`.
  struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Put a clip that is there onto a canvas, and make its cover.",
      usage: "clipcanvas clip import [<options>] <canvas> <clip>"
    )

    @Argument(help: "The canvas, as c1.") var canvas: CanvasArgument
    @Argument(help: "The file of the clip.") var clip: PathArgument
    @Flag(help: "Replace the clip of the canvas.") var replace = false
    @OptionGroup var cover: CoverOptions
    @OptionGroup var options: ChangeOptions

    func run() async throws {
      try await BoardClip(clip.path, options: options, cover: cover).importInto(canvas.id, replace: replace)
    }
  }

  /// `clipcanvas clip remove`.
  struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Take the clip off a canvas; its file stays.",
      usage: "clipcanvas clip remove [<options>] <canvas>"
    )

    @Argument(help: "The canvas, as c1.") var canvas: CanvasArgument
    @OptionGroup var options: ChangeOptions

    func run() throws { try options.send(.removeClip(canvas.id)) }
  }
}
