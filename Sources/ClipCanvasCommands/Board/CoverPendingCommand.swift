internal import ArgumentParser
internal import BoardStore
internal import CanvasModel

/// `clipcanvas board cover`.
struct CoverPendingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cover",
    abstract: "Make the board's pending covers.",
    usage: "clipcanvas board cover [<options>]"
  )

  @OptionGroup var options: ChangeOptions
  @OptionGroup(title: "Decoder options") var decoder: DecoderOptions

  func run() async throws {
    let board = try options.board.read().board
    let waiting = board.canvases.compactMap { canvas in
      canvas.cover == .pending ? canvas.clip.map { WaitingCover(canvas: canvas.id, clip: $0) } : nil
    }
    guard !waiting.isEmpty else {
      if !options.json { Console.print("nothing to do: no cover is pending") }
      return
    }
    try await BoardCovers(options: options, decoder: decoder).make(waiting)
  }
}
