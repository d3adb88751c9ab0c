internal import ArgumentParser
internal import BoardCovers
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import SystemPackage

/// A clip to be added to a board and, if requested, given a cover.
struct BoardClip {
  private let options: ChangeOptions
  private let cover: CoverOptions
  private let file: ClipFile

  /// - Throws: An exit status if the path is not a regular file.
  init(_ path: FilePath, options: ChangeOptions, cover: CoverOptions) throws {
    (self.options, self.cover) = (options, cover)
    file = try ClipFile(reading: path, for: options.board.file.folder)
  }

  /// Imports the clip into a canvas.
  func importInto(_ canvas: CanvasID, replace: Bool) async throws {
    let outcome = try options.apply { _ in .importClip(canvas, file, replace: replace) }
    try OutcomeReport.print(outcome, of: .importClip, with: options)
    try await makeCover(after: outcome)
  }

  /// Ends a take with the clip, as one transaction.
  ///
  /// - Parameters:
  ///   - take: The ID of the take; `nil` for the open take.
  ///   - stopping: Whether to stop the recording first.
  func finishTake(_ take: TakeID? = nil, stopping: Bool) async throws {
    let now = Instant.now
    let outcome = try options.transact { board in
      let finish = Event.takeFinished(take ?? board.openTake, file)
      return board.apply(stopping ? [(.recordStop, now), (finish, now)] : [(finish, now)]).outcome
    }
    try OutcomeReport.print(outcome, of: .takeFinished, with: options)
    try await makeCover(after: outcome)
  }

  private func makeCover(after outcome: Outcome) async throws {
    guard cover.cover, !Supposition.isActive, case .changed(_, let changes) = outcome else { return }
    for case .clip(let clip) in changes.map(\.new) {
      guard let canvas = changes.first(where: { $0.new == .clip(clip) })?.canvas else { continue }
      let waiting = WaitingCover(canvas: canvas, clip: clip)
      try await options.makeCovers([waiting], of: try options.board.read().board, with: try cover.decoder.service())
    }
  }
}
