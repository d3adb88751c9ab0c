internal import ArgumentParser
internal import CanvasModel

/// `clipcanvas board clip`.
struct ClipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clip",
    abstract: "Put clips on canvases, trim and remove them.",
    subcommands: [ImportCommand.self, TrimCommand.self, RemoveCommand.self]
  )

  /// `clipcanvas board clip import`.
  struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Put an existing clip on a canvas and make its cover.",
      usage: "clipcanvas board clip import [<options>] <canvas> <clip>",
      discussion: "A file that is not a video is refused, as in a browser."
    )

    @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
    @Argument(help: "The clip's file.") var clip: PathArgument
    @Flag(help: "Replace the canvas's clip.") var replace = false
    @OptionGroup var check: CheckOptions
    @OptionGroup var cover: CoverOptions
    @OptionGroup var options: ChangeOptions

    func validate() throws { try PathArgument.rejectURLs([clip]) }

    func run() async throws {
      let clip = try await BoardClip.at(clip.path, check, options: options, cover: cover)
      try await clip.importInto(canvas.id, replace: replace)
    }
  }

  /// `clipcanvas board clip remove`.
  struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove the clip from a canvas; its file is kept.",
      usage: "clipcanvas board clip remove [<options>] <canvas>"
    )

    @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
    @OptionGroup var options: ChangeOptions

    func run() throws { try options.send(.removeClip(canvas.id)) }
  }
}
