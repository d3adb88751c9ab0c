package import BoardStore
package import CanvasModel
package import ClipService
package import Covers
internal import Files
internal import SystemPackage

/// Makes the covers of a board's clips.
package struct BoardCovers: Sendable {
  private let file: BoardFile
  private let service: CoverService

  /// - Parameters:
  ///   - file: The board's file.
  ///   - service: The service that makes the covers.
  package init(of file: BoardFile, with service: CoverService) {
    (self.file, self.service) = (file, service)
  }

  /// Makes covers one after another, and reports each with the event for the board.
  ///
  /// A clip without a usable frame is not an error but a state of its canvas. If a cover was to be made again, the
  /// older one is kept, unless its file is missing. If no decoder can be started, the covers remain pending.
  ///
  /// - Parameters:
  ///   - waiting: The clips.
  ///   - side: The maximum side of the covers, in pixels.
  ///   - report: A closure that sends the event to the board. If it throws, the remaining covers are made, but not
  ///     reported, and the error is thrown in the end.
  package func make(
    _ waiting: [WaitingCover],
    side: Int,
    report: (WaitingCover, PictureOutcome, Event) throws -> Void
  ) async throws {
    let orders = waiting.map { order(for: $0, side: side) }
    var index = 0
    var problem: (any Error)?
    try await service.makeCovers(orders) { outcome in
      defer { index += 1 }
      guard problem == nil else { return }
      do {
        try report(waiting[index], outcome, event(of: outcome, of: waiting[index], at: orders[index].destination))
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
  }

  private func order(for waiting: WaitingCover, side: Int) -> CoverOrder {
    let place = OutputPlace(
      file.coversFolder.appending(Self.fileName(of: waiting)),
      derivedComponents: 2,
      belongingTo: file.path
    )
    var request = CoverRequest(size: SizeLimit(width: side, height: side) ?? .none)
    if let start = waiting.clip.trim?.from, start > 0 {
      (request.time, request.excludesEarlierFrames) = (.seconds(start), true)
    }
    var order = CoverOrder(
      clip: BoardPath.path(of: waiting.clip.file.path, in: file.folder),
      destination: .file(place),
      request: request
    )
    order.createsFolders = true
    return order
  }

  private func event(
    of outcome: PictureOutcome,
    of waiting: WaitingCover,
    at destination: CoverOrder.Destination
  ) -> Event {
    guard outcome.hasPicture, case .file(let place) = destination,
      let file = CoverFile(
        path: BoardPath.text(for: place.path, in: file.folder),
        width: outcome.size?.width,
        height: outcome.size?.height,
        actualTime: outcome.facts?.actualTime
      )
    else {
      return failure(of: waiting, reason: outcome.failure?.message ?? "no cover was made")
    }
    return .coverReady(waiting.canvas, generation: waiting.clip.generation, file)
  }

  /// Returns the event for a cover that cannot be made: the older cover is kept, unless its file is missing.
  ///
  /// - Parameters:
  ///   - waiting: The clip.
  ///   - reason: Why it has no new cover.
  package func failure(of waiting: WaitingCover, reason: String) -> Event {
    let (canvas, generation) = (waiting.canvas, waiting.clip.generation)
    if let older = waiting.older, BoardPath.path(of: older.path, in: file.folder).exists {
      return .coverReady(canvas, generation: generation, older)
    }
    return .coverFailed(canvas, generation: generation, reason: reason)
  }

  /// Returns a file name that is unique within the board, because a generation is never reused.
  static func fileName(of waiting: WaitingCover) -> String {
    "\(BoardPath.namePart(of: waiting.canvas))-\(waiting.clip.generation).png"
  }
}
