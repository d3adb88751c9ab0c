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
    let side = feed.board.effectiveCoverSide
    var events: [Event] = []
    do {
      try await BoardCovers(of: feed.file, with: service).make([waiting], side: side) { _, _, event in
        events.append(event)
      }
      let answers = events
      _ = try await feed.transact { board in
        for event in answers { _ = board.apply(event, at: .now) }
      }
    } catch {
      // The cover stays pending; the page offers to make it again.
      StandardError.print("clipcanvas: no cover for \(waiting.canvas): \(error)")
    }
  }
}
