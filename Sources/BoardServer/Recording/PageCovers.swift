internal import BoardCovers
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import CoverService
internal import Covers
internal import Files
internal import SystemPackage

/// Makes the covers of the clips that arrive through the server, one after another.
actor PageCovers {
  private let feed: BoardFeed
  private let service: CoverService
  private var queue: [WaitingCover] = []
  private var isWorking = false

  private static let maximumTries = 6
  private static let maximumStarts = 3
  private static let firstPause = Duration.seconds(1)
  private static let noDecoder = "the decoder could not be started"
  private static let readableInterval = Duration.seconds(1)

  init(for feed: BoardFeed, with service: CoverService) {
    (self.feed, self.service) = (feed, service)
  }

  /// Makes the cover of a clip after those that were asked for before.
  func make(_ waiting: WaitingCover) async {
    guard !queue.contains(waiting) else { return }
    queue.append(waiting)
    guard !isWorking else { return }
    isWorking = true
    while !queue.isEmpty {
      await work(queue.removeFirst())
    }
    isWorking = false
  }

  private func work(_ waiting: WaitingCover) async {
    var pause = Self.firstPause
    for attempt in 1...Self.maximumStarts where !Task.isCancelled {
      do {
        return await store(try await events(for: waiting), for: waiting.canvas)
      } catch {
        guard attempt == Self.maximumStarts else {
          try? await Task.sleep(for: pause)
          pause *= 2
          continue
        }
        StandardError.print("clipcanvas: no cover for \(waiting.canvas): \(error)")
        // The page says so, and offers to try again.
        let failure = Event.coverFailed(waiting.canvas, generation: waiting.clip.generation, reason: Self.noDecoder)
        await store([failure], for: waiting.canvas)
      }
    }
  }

  private func events(for waiting: WaitingCover) async throws -> [Event] {
    var events: [Event] = []
    let side = feed.board.effectiveCoverSide
    try await BoardCovers(of: feed.file, with: service).make([waiting], side: side) { _, _, event in
      events.append(event)
    }
    return events
  }

  /// Stores the answer about a cover on the board, and tries again if that cannot be read or changed.
  private func store(_ events: [Event], for canvas: CanvasID) async {
    var pause = Self.firstPause
    for _ in 1...Self.maximumTries where !Task.isCancelled {
      while !feed.isReadable && !Task.isCancelled { try? await Task.sleep(for: Self.readableInterval) }
      do throws(BoardError) {
        return try await feed.transact { board in
          for event in events { _ = board.apply(event, at: .now) }
        }
      } catch {
        let message = CommandError(error, of: feed.file).message ?? ""
        StandardError.print("clipcanvas: the cover of \(canvas) is not on the board yet: \(message)")
        try? await Task.sleep(for: pause)
        pause *= 2
      }
    }
  }
}
