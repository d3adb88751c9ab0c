internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// A clip to be added to a board and, if requested, given a cover.
struct BoardClip {
  private let path: FilePath
  private let options: ChangeOptions
  private let cover: CoverOptions
  private let file: ClipFile

  /// - Throws: An exit status if the path is not a regular file.
  init(_ path: FilePath, options: ChangeOptions, cover: CoverOptions) throws {
    (self.path, self.options, self.cover) = (path, options, cover)
    let status: FileStatus
    do throws(Errno) {
      status = try FileStatus(of: path)
    } catch {
      throw Self.unusable(path, error.message)
    }
    guard status.kind == .regular else { throw Self.unusable(path, "not a regular file") }
    guard
      let file = ClipFile(
        path: BoardPath.text(for: path, in: options.board.file.folder),
        bytes: status.bytes,
        mtimeNanoseconds: status.modificationTime.totalNanoseconds
      )
    else { throw Self.unusable(path, "the name is empty") }
    self.file = file
  }

  private static func unusable(_ path: FilePath, _ reason: String) -> CommandError {
    CommandError(.cannotContinue, "cannot add the clip \(path.displayText): \(reason); the board was not changed")
  }

  /// Imports the clip into a canvas.
  func importInto(_ canvas: CanvasID, replace: Bool) async throws {
    let outcome = try options.apply { _ in .importClip(canvas, file, replace: replace) }
    try OutcomeReport.print(outcome, asJSON: options.json)
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
    try OutcomeReport.print(outcome, asJSON: options.json)
    try await makeCover(after: outcome)
  }

  private func makeCover(after outcome: Outcome) async throws {
    guard cover.cover, case .changed(_, let changes) = outcome else { return }
    for case .clip(let clip) in changes.map(\.new) {
      guard let canvas = changes.first(where: { $0.new == .clip(clip) })?.canvas else { continue }
      let waiting = WaitingCover(canvas: canvas, clip: clip)
      let side = try options.board.read().board.effectiveCoverSide
      try await BoardCovers(options: options, decoder: cover.decoder).make([waiting], side: side)
    }
  }
}
