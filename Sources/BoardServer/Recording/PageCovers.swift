internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// Makes the covers of the clips that arrive through the server, one after another.
actor PageCovers {
  private let feed: BoardFeed
  private let service: CoverService
  private let times: ServerTimes
  private var queue: [WaitingCover] = []
  private var isWorking = false

  private static let maximumTries = 6
  private static let maximumStarts = 3
  private static let noDecoder = "the decoder could not be started"

  init(for feed: BoardFeed, with service: CoverService, times: ServerTimes) {
    (self.feed, self.service, self.times) = (feed, service, times)
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
    feed.showKeptCover(of: waiting.canvas, reason: nil)
    var pause = times.firstPause
    for attempt in 1...Self.maximumStarts where !Task.isCancelled {
      do {
        return await store(try await answer(to: waiting), for: waiting.canvas)
      } catch {
        guard attempt == Self.maximumStarts else {
          try? await Task.sleep(for: pause)
          pause *= 2
          continue
        }
        StandardError.print("clipcanvas: no cover for \(waiting.canvas): \(error)")
        // The page shows the failure and offers a retry.
        let event = BoardCovers(of: feed.file, with: service).failure(of: waiting, reason: Self.noDecoder)
        await store(Answer(event: event, failure: Self.noDecoder), for: waiting.canvas)
      }
    }
  }

  /// What became of a cover.
  private struct Answer {
    let event: Event
    /// Why no cover was made.
    let failure: String?

    /// Why the board keeps an older cover.
    var reasonForOlder: String? { event.name == .coverReady ? failure : nil }
  }

  private func answer(to waiting: WaitingCover) async throws -> Answer? {
    var answer: Answer?
    let side = feed.board.effectiveCoverSide
    try await BoardCovers(of: feed.file, with: service).make([waiting], side: side) { _, outcome, event in
      answer = Answer(event: event, failure: outcome.hasPicture ? nil : outcome.failure?.message)
    }
    return answer
  }

  /// Stores the answer about a cover on the board, and tries again if that cannot be read or changed.
  private func store(_ answer: Answer?, for canvas: CanvasID) async {
    guard let answer else { return }
    var pause = times.firstPause
    for _ in 1...Self.maximumTries where !Task.isCancelled {
      while !feed.isReadable && !Task.isCancelled { try? await Task.sleep(for: times.readableCheck) }
      do throws(BoardError) {
        try await feed.transact { board in _ = board.apply(answer.event, at: .now) }
        return feed.showKeptCover(of: canvas, reason: answer.reasonForOlder)
      } catch {
        let message = CommandError(error, of: feed.file).message ?? ""
        StandardError.print("clipcanvas: the cover of \(canvas) is not on the board yet: \(message)")
        try? await Task.sleep(for: pause)
        pause *= 2
      }
    }
  }
}
