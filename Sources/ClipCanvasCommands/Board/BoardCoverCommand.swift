internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Covers

/// `clipcanvas board cover`.
struct BoardCoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cover",
    abstract: "Make the board's pending covers, or make covers again.",
    usage: "clipcanvas board cover [<options>] [<canvas> ...]",
    discussion: """
      Without --retry, only pending covers are made. With --retry, failed covers and covers whose file is missing are made \
      again; if canvases are named, their covers are made again in any case.

      Exit status: 1 if a cover could not be made.
      """
  )

  @Argument(help: "The canvases (default: all).") var canvases: [CanvasArgument] = []
  @Flag(help: "Also make failed and missing covers again.") var retry = false
  @OptionGroup var options: ChangeOptions
  @OptionGroup(title: "Decoder options") var decoder: DecoderOptions

  func run() async throws {
    var board = try options.board.read().board
    if let unknown = canvases.map(\.id).first(where: { board[$0] == nil }) {
      throw CommandError(unknown: unknown, canvases: board.canvases.map(\.id))
    }
    var options = options
    let again = retry ? board.canvases.filter { isMadeAgain($0) }.map(\.id) : []
    if !again.isEmpty {
      let outcome: Outcome
      (outcome, board) = try send(again)
      try OutcomeReport.print(outcome, asJSON: options.json)
      options = options.withoutRevision
    }
    let waiting = board.canvases.filter { isWanted($0) && $0.cover == .pending }.compactMap { canvas in
      canvas.clip.map { WaitingCover(canvas: canvas.id, clip: $0) }
    }
    guard !waiting.isEmpty else { return reportNothing(on: board) }
    let isComplete = try await BoardCovers(options: options, decoder: decoder).make(
      waiting,
      side: board.effectiveCoverSide
    )
    guard isComplete else { throw CommandError(.someFailed) }
  }

  private func isWanted(_ canvas: Canvas) -> Bool { canvases.isEmpty || canvases.contains { $0.id == canvas.id } }

  /// Returns whether the cover of a canvas is made again, although it is not pending.
  private func isMadeAgain(_ canvas: Canvas) -> Bool {
    guard isWanted(canvas) else { return false }
    switch canvas.cover {
    // A named canvas without a clip is refused by the state machine.
    case .none: return !canvases.isEmpty
    case .pending: return false
    case .failed: return true
    case .ready(let file):
      return !canvases.isEmpty || !BoardPath.path(of: file.path, in: options.board.file.folder).exists
    }
  }

  /// Makes the covers of some canvases pending again, as one transaction.
  private func send(_ canvases: [CanvasID]) throws -> (Outcome, Board) {
    let now = Instant.now
    return try options.transact { board in
      (board.apply(canvases.map { (.coverRetry($0), now) }).outcome, board)
    }
  }

  private func reportNothing(on board: Board) {
    guard !options.json else { return Console.print(json: JSON(Outcome.noop(.already)).line) }
    let hasFailed = !retry && board.canvases.contains { isWanted($0) && $0.cover.name == .failed }
    Console.print("nothing to do: no cover is pending" + (hasFailed ? "; --retry makes failed covers again" : ""))
  }
}
