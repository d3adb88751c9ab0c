internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// The segments of a take, which are joined to its clip.
struct TakeSegments {
  private let segments: [FilePath]
  private let options: ChangeOptions
  private let cover: CoverOptions

  init(_ segments: [FilePath], options: ChangeOptions, cover: CoverOptions) {
    (self.segments, self.options, self.cover) = (segments, options, cover)
  }

  /// Joins the segments and returns the file; without segments, returns the named file itself.
  ///
  /// - Parameters:
  ///   - file: The file to create; `nil` for one named after the take beside the first segment.
  ///   - take: The take; `nil` for the open one.
  /// - Returns: The clip; `nil` if the board would refuse it, which is then reported, and nothing is written.
  func joined(as file: FilePath?, take: TakeID?) async throws -> FilePath? {
    guard let first = segments.first else { return file }
    let board = try options.board.read().board
    // Before the work, so that no file is written in vain.
    try options.checkRevision(of: board)
    let place =
      file.map(OutputPlace.init(named:))
      ?? OutputPlace(
        Self.path(for: take ?? board.openTake, beside: first),
        derivedComponents: 1,
        belongingTo: options.board.file.path
      )
    let (answer, isTaken) = answer(of: board, take: take, place: place.path)
    if isTaken { try Self.check(place) }
    if isTaken, DryRun.isActive { try checkSegments() }
    if let answer, !isTaken || DryRun.isActive {
      try OutcomeReport.print(answer, of: .takeFinished, with: options)
      return nil
    }
    let order = RemuxOrder(
      clips: segments,
      place: place,
      request: RemuxRequest(container: try Self.container(of: place.path)),
      isForced: false
    )
    let outcome = try await RemuxReport.outcome(of: order, with: cover.decoder.videoService())
    switch outcome.result {
    case .success(let facts): RemuxReport.printWarnings(about: facts.parts, of: outcome.clips)
    case .failure(var failure):
      failure.advice = failure.advice?.replacing("with -o", with: "with --clip")
      throw CommandError.segments(failure.line(for: outcome.failedClip ?? outcome.clips[0], after: nil))
    }
    return place.path
  }

  /// Removes the joined file, unless the board refers to it: after the board did not take it, a further attempt would
  /// find it in its way.
  func removeUnlessTaken(_ file: FilePath) {
    guard !segments.isEmpty, let board = try? options.board.read().board,
      let clip = ClipFile(path: BoardPath.text(for: file, in: options.board.file.folder)),
      !board.listedTakes().contains(where: { $0.clip.file.path == clip.path })
    else { return }
    OutputPlace(named: file).remove { _ in true }
  }

  /// Throws an error if a segment is not a file.
  private func checkSegments() throws(CommandError) {
    for segment in segments {
      do throws(Errno) {
        guard try FileStatus(of: segment).kind != .regular else { continue }
      } catch {
        throw .segments("\(segment.displayText): \(error.message)")
      }
      throw .segments("\(segment.displayText): not a regular file")
    }
  }

  private static func check(_ place: OutputPlace) throws(CommandError) {
    do throws(OutputRefusal) {
      try place.check(isForced: false, sparing: [:]) { _ in false }
    } catch {
      throw .segments("\(error.path.displayText) \(error.message(product: "empty")); name another file with --clip")
    }
  }

  /// Returns what the board would answer to the clip, and whether it would take it, so that no segments are joined in
  /// vain.
  private func answer(of board: Board, take: TakeID?, place: FilePath) -> (outcome: Outcome?, isTaken: Bool) {
    guard let clip = ClipFile(path: BoardPath.text(for: place, in: options.board.file.folder)) else {
      return (nil, true)
    }
    var trial = board
    let outcome = trial.apply(.takeFinished(take ?? board.openTake, clip), at: .now)
    return if case .changed = outcome { (outcome, true) } else { (outcome, false) }
  }

  private static func path(for take: TakeID, beside segment: FilePath) -> FilePath {
    // Any text can be the ID of a take, also one with slashes.
    let name = "\(BoardPath.namePart(of: take)).\(segment.lastComponent?.extension ?? "mkv")"
    return segment.removingLastComponent().appending(name)
  }

  private static func container(of path: FilePath) throws -> VideoContainer {
    if let container = VideoContainer(fileExtension: path.lastComponent?.extension ?? "") { return container }
    throw ValidationError(
      "segments cannot be joined to \(path.displayText): name a file that ends in .mp4, .mov, .mkv or .webm with --clip"
    )
  }
}

extension CommandError {
  fileprivate static func segments(_ problem: String) -> CommandError {
    CommandError(.cannotContinue, "cannot join the segments: \(problem); the board was not changed")
  }
}
