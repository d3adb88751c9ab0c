internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import CoverService
internal import Covers
internal import Files
internal import SystemPackage

/// A clip on a canvas that needs a cover.
struct WaitingCover {
  let canvas: CanvasID
  let clip: Clip
}

/// Makes the covers of a board's clips, and sends the result of each to the board.
struct BoardCovers {
  let options: ChangeOptions
  let decoder: DecoderOptions

  /// Makes covers one after another.
  ///
  /// A clip without a usable frame is not an error but a state of its canvas. If no decoder can be started, the covers
  /// remain pending.
  ///
  /// - Parameters:
  ///   - waiting: The clips.
  ///   - side: The maximum side of a cover, in pixels.
  /// - Returns: Whether all covers were made.
  @discardableResult
  func make(_ waiting: [WaitingCover], side: Int) async throws -> Bool {
    guard !waiting.isEmpty else { return true }
    let file = options.board.file
    let folder = Self.coverFolder(of: file)
    let orders = waiting.map { waiting in
      var order = CoverOrder(
        clip: BoardPath.path(of: waiting.clip.file.path, in: file.folder),
        destination: .file(OutputPlace(folder.appending(Self.fileName(of: waiting)), derivedComponents: 2)),
        request: CoverRequest(size: SizeLimit(width: side, height: side) ?? .none)
      )
      order.createsFolders = true
      return order
    }
    var outcomes: [CoverOutcome] = []
    try await decoder.service().makeCovers(orders) { outcomes.append($0) }
    for ((waiting, order), outcome) in zip(zip(waiting, orders), outcomes) {
      try report(outcome, of: waiting, at: order.destination)
    }
    return outcomes.allSatisfy(\.hasCover)
  }

  private func report(
    _ outcome: CoverOutcome,
    of waiting: WaitingCover,
    at destination: CoverOrder.Destination
  ) throws {
    let event = event(of: outcome, of: waiting, at: destination)
    // The requested revision is the one before the clip was added.
    let done = try options.withoutRevision.apply { _ in event }
    guard !options.json else { return try OutcomeReport.print(done, asJSON: true) }
    if let problem = CoverReport.problem(of: outcome, command: .other) { StandardError.print(problem) }
    try OutcomeReport.print(done, asJSON: false)
  }

  private func event(
    of outcome: CoverOutcome,
    of waiting: WaitingCover,
    at destination: CoverOrder.Destination
  ) -> Event {
    let generation = waiting.clip.generation
    guard outcome.hasCover, case .file(let place) = destination,
      let file = CoverFile(
        path: BoardPath.text(for: place.path, in: options.board.file.folder),
        width: outcome.coverSize?.width,
        height: outcome.coverSize?.height,
        actualTime: outcome.facts?.actualTime
      )
    else {
      return .coverFailed(
        waiting.canvas,
        generation: generation,
        reason: outcome.failure?.message ?? "no cover was made"
      )
    }
    return .coverReady(waiting.canvas, generation: generation, file)
  }

  /// Returns the folder for a board's covers; for `board.json`, this is `board.covers`.
  private static func coverFolder(of file: BoardFile) -> FilePath {
    file.folder.appending(file.path.stem ?? "board").derivingName(suffix: ".covers")
  }

  /// Returns a file name that is unique within the board, because a generation is never reused.
  ///
  /// It contains the canvas ID, reduced to characters that are valid on every file system.
  private static func fileName(of waiting: WaitingCover) -> String {
    let name = waiting.canvas.description.unicodeScalars.prefix(64).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? Character(scalar) : "_"
    }
    return "\(String(name))-\(waiting.clip.generation).png"
  }
}
