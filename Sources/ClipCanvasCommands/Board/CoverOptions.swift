internal import ArgumentParser
internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files

/// The cover options of a clip added to a board.
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
  func makeCovers(_ waiting: [WaitingCover], of board: Board, with service: CoverService) async throws -> Bool {
    let covers = BoardCovers(of: self.board.file, with: service)
    // The requested revision is the one before the clips were added.
    let options = withoutRevision
    var isComplete = true
    try await covers.make(waiting, side: board.effectiveCoverSide) { waiting, outcome, event in
      isComplete = isComplete && outcome.hasPicture
      let done = try options.apply { _ in event }
      if let failure = outcome.failure { report(failure, outcome, keepsOlder: event.name == .coverReady, of: waiting) }
      try OutcomeReport.print(done, of: event.name, with: self)
    }
    return isComplete
  }

  /// Prints why no cover was made, and whether the older one is kept; as JSON, the outcome contains a failure.
  private func report(
    _ failure: CoverFailure,
    _ outcome: PictureOutcome,
    keepsOlder: Bool,
    of waiting: WaitingCover
  ) {
    if !json, let problem = PictureReport.problem(of: outcome, after: nil) { StandardError.print(problem) }
    let canvas = DisplayName.of(waiting.canvas)
    guard keepsOlder else {
      if !json {
        StandardError.print("\(canvas) has no cover; \(board.file.command("cover \(canvas) --retry")) tries again")
      }
      return
    }
    let kept = "\(canvas) keeps its old cover"
    StandardError.print(json ? "\(kept): \(failure.message)" : kept)
  }
}
