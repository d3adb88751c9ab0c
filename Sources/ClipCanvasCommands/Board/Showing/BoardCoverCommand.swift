internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
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
      again; if canvases are named, their covers are made again in any case. A cover that cannot be made again is kept.

      Exit status: 1 if a cover could not be made.
      """
  )

  @Argument(help: "The canvases (default: all).") var canvases: [CanvasArgument] = []
  @Flag(help: "Also make failed and missing covers again.") var retry = false
  @OptionGroup var options: ChangeOptions
  @OptionGroup(title: "Decoder options") var decoder: DecoderOptions

  func run() async throws {
    var board = try options.board.read().board
    // Covers are also made without changing the board first.
    try options.checkRevision(of: board)
    if let unknown = canvases.map(\.id).first(where: { board[$0] == nil }) {
      throw CommandError(unknown: unknown, canvases: board.canvases.map(\.id))
    }
    let again = retry ? canvasesToRetry(on: board) : []
    guard !again.isEmpty || board.canvases.contains(where: { $0.cover == .pending && isWanted($0.id) }) else {
      return reportNothing(on: board)
    }
    guard !DryRun.isActive else { return try dryRun(again, on: board) }
    // Without a decoder, existing covers must not become pending.
    let service = try decoder.service()
    if !again.isEmpty {
      let outcome: Outcome
      (outcome, board) = try send(again)
      try OutcomeReport.print(outcome, of: .coverRetry, with: options)
    }
    let waiting = board.waitingCovers.filter { isWanted($0.canvas) }
    guard !waiting.isEmpty else { return }
    guard try await options.makeCovers(waiting, of: board, with: service) else { throw CommandError(.someFailed) }
  }

  private func isWanted(_ canvas: CanvasID) -> Bool { canvases.isEmpty || canvases.contains { $0.id == canvas } }

  /// Returns the canvases whose covers are made again although they are not pending.
  private func canvasesToRetry(on board: Board) -> [CanvasID] {
    guard !canvases.isEmpty else { return board.canvasesWithoutCover(in: options.board.file.folder) }
    // A named canvas without a clip is refused by the state machine.
    return board.canvases.filter { isWanted($0.id) && $0.cover != .pending }.map(\.id)
  }

  /// Makes the covers of some canvases pending again, as one transaction.
  private func send(_ canvases: [CanvasID]) throws -> (Outcome, Board) {
    let now = Instant.now
    return try options.transact { board in
      (board.apply(canvases.map { (.coverRetry($0), now) }).outcome, board)
    }
  }

  /// Prints which covers would become pending again or, without any, which pending ones would be made.
  private func dryRun(_ again: [CanvasID], on board: Board) throws {
    guard again.isEmpty else { return try OutcomeReport.print(send(again).0, of: .coverRetry, with: options) }
    let pending = board.canvases.filter { $0.cover == .pending && isWanted($0.id) }.map(\.id)
    guard !options.json else {
      return Console.print(json: JSON(Outcome.changed(revision: board.revision + pending.count, changes: [])).line)
    }
    let names = pending.map(DisplayName.of).joined(separator: ", ")
    Console.print("would make the cover\(pending.count == 1 ? "" : "s") of \(names)")
  }

  private func reportNothing(on board: Board) {
    guard !options.json else { return Console.print(json: JSON(Outcome.noop(.already)).line) }
    let without = board.canvasesWithoutCover(in: options.board.file.folder)
    let hasHint = !retry && without.contains(where: isWanted)
    let noop = OutcomeReport.Wording.current.noop
    Console.print("\(noop) no cover is pending" + (hasHint ? "; --retry makes failed and missing covers again" : ""))
  }
}
