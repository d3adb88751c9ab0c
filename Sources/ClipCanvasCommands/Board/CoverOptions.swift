internal import ArgumentParser
internal import BoardCovers
internal import BoardText
internal import CanvasModel
internal import Covers
internal import Files

/// The options for making the cover of a clip added to a board.
struct CoverOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Make the clip's cover immediately; otherwise 'clipcanvas board cover' makes it later."
  )
  var cover = true

  @OptionGroup(title: "Decoder options") var decoder: DecoderOptions
}

extension ChangeOptions {
  /// Makes covers one after another, sends the result of each to the board, and prints it.
  ///
  /// - Returns: Whether all covers were made.
  @discardableResult
  func makeCovers(_ waiting: [WaitingCover], of board: Board, with decoder: DecoderOptions) async throws -> Bool {
    let covers = BoardCovers(of: self.board.file, with: try decoder.service())
    // The requested revision is the one before the clips were added.
    let options = withoutRevision
    var isComplete = true
    try await covers.make(waiting, side: board.effectiveCoverSide) { _, outcome, event in
      isComplete = isComplete && outcome.hasCover
      let done = try options.apply { _ in event }
      if !json, let problem = CoverReport.problem(of: outcome, command: .other) { StandardError.print(problem) }
      try OutcomeReport.print(done, of: event.name, asJSON: json)
    }
    return isComplete
  }
}
