import CanvasModel
import TestSupport
import Testing

@Suite("History limit")
struct HistoryBoundTests {
  /// Applies an event repeatedly until it changes nothing.
  private static func count(_ event: Event, on board: inout Board) -> (changed: Int, last: Outcome) {
    var count = 0
    var outcome = board.apply(event, at: Parts.at(0))
    while outcome.isChanged {
      count += 1
      outcome = board.apply(event, at: Parts.at(0))
    }
    return (count, outcome)
  }

  // A step can be undone while its transaction is in the history, and each undo evicts an older one: 50 of 100.
  @Test("The history keeps a hundred transactions, and fifty steps can be undone and redone")
  func fifty() {
    var board = Board(columns: 2, rows: 1)
    for number in 0..<150 {
      board.send(.preview(number.isMultiple(of: 2) ? c1 : c2))
    }
    #expect(board.history.transactions.map(\.revision) == Array(51...150))
    let newest = Snapshot(board)
    #expect(Self.count(.undo, on: &board) == (50, .noop(.nothing)))
    #expect(board.history.transactions.count == History.maximumTransactions)
    #expect(Self.count(.redo, on: &board) == (50, .noop(.nothing)))
    #expect(Snapshot(board) == newest)
  }

  @Test("An undo never ends inside a take whose start has left the history", arguments: 40...55)
  func longTake(pauses: Int) {
    var board = Board(columns: 2, rows: 1)
    let before = Snapshot(board)
    board.send(.tap(c1))
    let preview = Snapshot(board)
    board.send(.recordStart(take: Parts.take(1)))
    for _ in 0..<pauses { board.send(.recordPause, .recordResume()) }
    board.send(.recordStop, .takeFinished(Parts.take(1), Parts.clip("a")))
    let after = Snapshot(board)
    // The start, the pauses and resumptions, the stop and the clip; and the tap before them.
    let count = 2 * pauses + 3
    let isWhole = count <= History.maximumTransactions
    #expect(board.send(.undo)[0].isChanged == isWhole)
    #expect(Snapshot(board) == (count < History.maximumTransactions ? before : isWhole ? preview : after))
  }

  @Test("Steps after a take whose start has left the history can be undone")
  func afterLongTake() {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1), .recordStart(take: Parts.take(1)))
    for _ in 0..<60 { board.send(.recordPause, .recordResume()) }
    board.send(.recordDiscard, .tap(c2), .undo)
    #expect(board.session == .previewing(c1))
    #expect(board.send(.undo) == [.noop(.nothing)])
    board.send(.redo)
    #expect(board.session == .previewing(c2))
  }

  // MARK: - Answers about covers

  @Test("Answers about covers take no room among the steps, and are bounded themselves", .enabled(if: Scope.isFull))
  func answers() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Parts.clip("a")), .tap(c2))
    for number in 0..<150 {
      board.send(.coverFailed(c1, generation: 1, reason: "dark \(number)"), .coverRetry(c1))
    }
    #expect(board.history.transactions.count == 2 + History.maximumAnswers)
    #expect(board.history.transactions.prefix(2).map(\.revision) == [1, 2])
    #expect(board.history.transactions.last?.revision == 302)
    #expect(Self.count(.undo, on: &board) == (2, .noop(.nothing)))
    #expect(board.path(of: c1) == nil)
  }

  @Test("A clip that is restored has its last cover, even if the history no longer has the answers", arguments: 0...3)
  func lastCover(answers: Int) {
    var board = Board(columns: 1, rows: 1)
    board.send(.importClip(c1, Parts.clip("a")))
    let covers: [Cover] = [.pending, .failed(reason: "dark"), .pending, .ready(Parts.cover("a"))]
    let events: [Event] = [
      .coverFailed(c1, generation: 1, reason: "dark"), .coverRetry(c1),
      .coverReady(c1, generation: 1, Parts.cover("a")),
    ]
    board.send(Array(events.prefix(answers)))
    // Both clips are pending when they are set, so the step itself may contain no cover.
    board.send(.importClip(c1, Parts.clip("b"), replace: true))
    let generation = board.generation(of: c1)
    for number in 0..<120 {
      board.send(.coverFailed(c1, generation: generation, reason: "b \(number)"), .coverRetry(c1))
    }
    // The oldest answer that is left begins with a failed cover, which must not become that of the other clip.
    board.send(.coverFailed(c1, generation: generation, reason: "b"))
    board.send(.undo)
    #expect(board.path(of: c1) == "a.mp4" && board.cover(of: c1) == covers[answers])
    board.send(.redo)
    #expect(board.path(of: c1) == "b.mp4" && board.cover(of: c1) == .failed(reason: "b"))
  }

  // MARK: - Size

  @Test("Moves among many canvases make a small history", .enabled(if: Scope.isFull))
  func moves() {
    var board = Board(columns: 100, rows: 100)
    for number in 0..<100 { board.send(.moveCanvas(CanvasID(number: 5000 + number), to: number)) }
    #expect(board.history.transactions.count == 100 && board.history.bytes < 100_000)
    for _ in 0..<50 { board.send(.undo) }
    #expect(board.canvases[0].id == CanvasID(number: 5000) && board.canvases[50].id == CanvasID(number: 1))
  }

  @Test("A history is bounded in bytes; the newest steps are kept", .enabled(if: Scope.isFull))
  func bytes() {
    var board = Board(columns: 1, rows: 1)
    let reason = String(repeating: "x", count: 1 << 20)
    board.send(.tap(c1), .recordStart(take: Parts.take(1)))
    for _ in 0..<20 { board.send(.takeFailed(Parts.take(1), reason: reason), .recordResume()) }
    #expect(board.history.bytes <= History.maximumBytes && board.history.bytes > History.maximumBytes / 2)
    #expect(board.history.transactions.last?.revision == board.revision)
    board.send(.recordDiscard, .tap(c1))
    #expect(board.send(.undo)[0].isChanged)
  }

  @Test("A transaction of very many events leaves the steps before it", arguments: [20_001, 400_001])
  func manyEvents(count: Int) throws {
    var board = Board(columns: 2, rows: 1)
    board.send(.select(c2), .addCanvas(c3), .deselect)
    let before = Snapshot(board)
    let events: [Event] = Array(repeating: .tap(c1), count: count)
    #expect(board.apply(events.map { ($0, Parts.at(9)) }).outcome.isChanged)
    let last = try #require(board.history.transactions.last)
    #expect(last.events.isEmpty && last.kind.names.count == (count > 100_000 ? 1 : count))
    #expect(board.history.bytes < 2 << 20 && board.history.transactions.count == 4)
    #expect(board.send(.undo)[0].isChanged && Snapshot(board) == before)
    let undone = board.send(.undo, .undo, .undo)
    #expect(undone.allSatisfy { $0.isChanged })
    #expect(Snapshot(board) == Snapshot(Board(columns: 2, rows: 1)))
  }

  @Test(
    "An event that would make the board too large is refused, and the board can become smaller again",
    .enabled(if: Scope.isFull)
  )
  func tooLarge() throws {
    var board = Board(columns: 2, rows: 1)
    let path = String(repeating: "x", count: 9 << 20)
    let clip = try #require(ClipFile(path: path))
    board.send(.importClip(c1, clip), .addCanvas(c3), .importClip(c3, clip), .importClip(c2, clip))
    let before = board
    #expect(board.send(.addCanvas(c4), .importClip(c4, clip)).last == .refused(.tooLarge))
    #expect(board.sendTogether(.tap(c1), .importClip(c4, clip)) == (.refused(.tooLarge), 1))
    board.send(.removeCanvas(c4))
    #expect(board.canvases.map(\.clip) == before.canvases.map(\.clip))
    #expect(board.estimatedBytes + board.history.bytes <= Board.maximumBytes)
    #expect(board.send(.tap(c1))[0].isChanged)
    #expect(board.send(.removeClip(c1))[0].isChanged)
    // A take is as large as the clip was.
    #expect(board.send(.addCanvas(c4), .importClip(c4, clip)).last == .refused(.tooLarge))
    let outcomes = board.send(.removeTake(c1, generation: 1), .importClip(c4, clip))
    #expect(outcomes.allSatisfy { $0.isChanged })
  }
}
