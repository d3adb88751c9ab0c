import BoardStore
import CanvasModel
import SystemPackage
import TestSupport
import Testing

@Suite("Followers that change the board")
struct BoardFollowerTests {
  private static let instant = Instant(secondsSince1970: 1) ?? .epoch

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// A board's file with members that no version knows.
  private func file(_ name: String) throws -> BoardFile { BoardFile(at: try scratch.copy(Schemas.first, as: name)) }

  /// A random event; most of them are possible in most states.
  private static func event(_ numbers: inout SeededNumbers, step: Int) -> String {
    let canvas = "c\(Int.random(in: 1...6, using: &numbers))"
    let clip = #"{"event":"importClip","canvas":"\#(canvas)","clip":{"path":"\#(step).mp4"},"replace":true}"#
    let added = #"{"event":"addCanvas","canvas":"\#(canvas)"}"#
    let moved = #"{"event":"moveCanvas","canvas":"\#(canvas)","to":\#(step % 3)}"#
    let names = ["tap", "select", "removeClip", "removeCanvas", "coverRetry"].map {
      #"{"event":"\#($0)","canvas":"\#(canvas)"}"#
    }
    let others = ["deselect", "undo", "redo", "recordPause", "recordDiscard"].map { #"{"event":"\#($0)"}"# }
    let start = #"{"event":"recordStart","take":"t\#(step)","replace":true}"#
    let all = names + others + [clip, clip, added, added, moved, start]
    return all[Int.random(in: all.indices, using: &numbers)]
  }

  @Test(
    "A document that is changed in memory is stored with the same bytes as a document that is read each time",
    .enabled(if: Scope.isFull)
  )
  func sameBytes() throws {
    let (kept, reread) = (try file("kept.json"), try file("reread.json"))
    var follower = BoardFollower(kept, since: nil)
    var watcher = BoardFollower(reread, since: nil)
    #expect(follower.look().count == 1 && watcher.look().count == 1)
    var numbers = SeededNumbers(seed: 11)
    for step in 0..<LongForm.count(short: 300, long: 1000, variable: "TORTURE_STEPS") {
      let event = try EventLine(parsing: Array(Self.event(&numbers, step: step).utf8)).event
      let apply: (inout Board) -> Outcome = { $0.apply(event, at: Self.instant) }
      let outcome = try reread.transact(apply)
      if step % 5 == 0 {
        // Another process makes the change; it is reported with the next one.
        #expect(try kept.transact(apply) == outcome)
      } else {
        let (own, notices) = try follower.transact(lockTimeout: .seconds(5), apply)
        #expect(own == outcome)
        #expect(notices.map(Words.init) == watcher.look().map(Words.init), "step \(step)")
      }
      #expect(try ScratchFolder.read(kept.path) == ScratchFolder.read(reread.path), "step \(step): \(event)")
    }
  }

  @Test(
    "Another board with the same revision is reported as a whole, also before a change of one's own",
    .enabled(if: Scope.isFull)
  )
  func replaced() throws {
    let file = try file("board.json")
    var follower = BoardFollower(file, since: nil)
    _ = follower.look()
    var other = Board(columns: 5, rows: 1)
    let canvas = try #require(CanvasID("c5"))
    for _ in 0..<10 { _ = other.apply(.tap(canvas), at: Self.instant) }
    try file.create(other, replaces: true)
    let (_, notices) = try follower.transact(lockTimeout: .seconds(5)) { $0.apply(.tap(canvas), at: Self.instant) }
    #expect(notices.map(Words.init) == [Words(text: "fresh 10"), Words(text: "transaction 11")])
    #expect(follower.look().isEmpty)
  }

  @Test("Steps that are removed from the history are reported once, to the follower that removed them and to others")
  func forgotten() throws {
    let file = BoardFile(at: scratch("new.json"))
    try file.create(Board(columns: 2, rows: 1))
    let canvas = try #require(CanvasID("c1"))
    for _ in 0..<4 { _ = try file.transact(lockTimeout: .seconds(5)) { $0.apply(.tap(canvas), at: Self.instant) } }
    var (follower, other) = (BoardFollower(file, since: nil), BoardFollower(file, since: nil))
    _ = follower.look()
    _ = other.look()
    let (_, notices) = try other.transact(lockTimeout: .seconds(5)) { $0.forgetHistory(upTo: 2) }
    #expect(notices.map(Words.init) == [Words(text: "forgotten 4")])
    let seen = follower.look()
    #expect(seen.map(Words.init) == [Words(text: "forgotten 4")])
    guard case .forgotten(let board)? = seen.first else { return }
    #expect(board.undoableSteps == 2)
    #expect(follower.look().isEmpty && other.look().isEmpty)
  }

  /// A notice in words, to be compared.
  private struct Words: Hashable {
    let text: String

    init(text: String) { self.text = text }

    init(_ notice: BoardNotice) {
      switch notice {
      case .transaction(let transaction, _): text = "transaction \(transaction.revision)"
      case .forgotten(let board): text = "forgotten \(board.revision)"
      case .fresh(let board): text = "fresh \(board.revision)"
      case .unreadable(let problem): text = "unreadable \(problem)"
      }
    }
  }
}
