internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// The option to add a file that is not a video, or not yet.
struct CheckOptions: ParsableArguments {
  @Flag(help: "Do not check that the file is a video; it may not exist yet.") var noCheck = false
}

/// A clip to be added to a board and, if requested, given a cover.
struct BoardClip {
  private let options: ChangeOptions
  private let cover: CoverOptions
  private let path: FilePath
  private var file: ClipFile
  /// Whether the file exists, so that it can have a cover.
  private let exists: Bool

  /// - Parameters:
  ///   - path: The path of the clip.
  ///   - options: The options of the command.
  ///   - cover: The options for the cover.
  ///   - mayBeMissing: Whether the file may be made later.
  /// - Throws: An exit status if the path is not a regular file.
  init(
    _ path: FilePath,
    options: ChangeOptions,
    cover: CoverOptions,
    mayBeMissing: Bool = false
  ) throws {
    (self.path, self.options, self.cover) = (path, options, cover)
    let folder = options.board.file.folder
    let isMissing = mayBeMissing && (try? FileStatus(of: path)) == nil
    exists = !isMissing
    if isMissing, let later = ClipFile(path: BoardPath.text(for: path, in: folder)) {
      file = later
    } else {
      file = try ClipFile(reading: path, for: folder)
    }
  }

  /// Returns a clip that a decoder accepts as a video, or any file that is or will be at the path if it is not checked.
  ///
  /// - Parameters:
  ///   - path: The path of the clip.
  ///   - check: Whether the file is checked.
  ///   - options: The options of the command.
  ///   - cover: The options for the cover.
  /// - Throws: An exit status if it is not a video.
  static func at(
    _ path: FilePath,
    _ check: CheckOptions,
    options: ChangeOptions,
    cover: CoverOptions
  ) async throws -> BoardClip {
    var clip = try BoardClip(path, options: options, cover: cover, mayBeMissing: check.noCheck)
    if check.noCheck { return clip }
    clip.file = try await ClipFile(
      checking: path,
      with: try cover.decoder.service(),
      for: options.board.file.folder,
      otherwise: "add it anyway with --no-check"
    )
    return clip
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
    if exists { try await options.makeCover(after: outcome, with: cover) }
  }
}
