import CanvasModel
import Testing

@Suite("Changes of position")
struct PositionTests {
  private static func ids(_ numbers: some Sequence<Int>) -> [CanvasID] { numbers.map { CanvasID(number: $0) } }

  /// Applies changes to an order step by step, unlike the board: removes all canvases they name, and inserts them by
  /// increasing index.
  private static func apply(_ changes: [Change], to order: [CanvasID], backwards: Bool = false) -> [CanvasID] {
    let moved = changes.compactMap(\.canvas)
    var order = order.filter { !moved.contains($0) }
    let places = changes.compactMap { change -> (Int, CanvasID)? in
      guard case .position(let index) = backwards ? change.old : change.new, let id = change.canvas else { return nil }
      return (index, id)
    }
    for (index, id) in places.sorted(by: { $0.0 < $1.0 }) { order.insert(id, at: min(index, order.count)) }
    return order
  }

  @Test("Changes of position lead from any order to any other and back", arguments: 1...8 as ClosedRange<UInt64>)
  func anyOrder(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<400 {
      let old = Self.ids((1...8).shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)))
      let new = Self.ids((1...8).shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)))
      let hint = Set(Self.ids([Int.random(in: 1...8, using: &random)]))
      let changes = Change.positions(from: old, to: new, moved: hint)
      #expect(Self.apply(changes, to: old) == new, "\(old) to \(new)")
      #expect(Self.apply(changes, to: new, backwards: true) == old, "\(old) to \(new)")
      #expect(changes.allSatisfy { $0.old != $0.new && $0.key == .position })
      #expect(Set(changes.map(\.canvas)).count == changes.count)
    }
  }

  @Test(
    "Any number of moves, additions and removals in one transaction are undone and redone",
    arguments: 1...4 as ClosedRange<UInt64>
  )
  func undone(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<100 {
      var board = Board(columns: 6, rows: 2)
      let before = Snapshot(board)
      var ids = Self.ids(1...12)
      let events = (20..<32).map { number -> (Event, Instant) in
        let id = ids.randomElement(using: &random) ?? c1
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          ids.removeAll { $0 == id }
          return (.removeCanvas(id), Parts.at(0))
        case 1:
          ids.append(CanvasID(number: number))
          return (.addCanvas(CanvasID(number: number), .whole), Parts.at(0))
        default: return (.moveCanvas(id, to: Int.random(in: 0..<ids.count, using: &random)), Parts.at(0))
        }
      }
      #expect(board.apply(events).outcome.isChanged)
      let after = Snapshot(board)
      board.send(.undo)
      #expect(Snapshot(board) == before)
      board.send(.redo)
      #expect(Snapshot(board) == after)
    }
  }

  @Test("A move is one change, of the canvas that was moved")
  func one() {
    for count in 2...7 {
      for from in 0..<count {
        for to in 0..<count where to != from {
          var board = Board(columns: count, rows: 1)
          let canvas = CanvasID(number: from + 1)
          board.send(.moveCanvas(canvas, to: to))
          let change = Change(canvas: canvas, key: .position, old: .position(from), new: .position(to))
          #expect(board.history.transactions.last?.changes == [change])
          board.send(.undo)
          let back = Change(canvas: canvas, key: .position, old: .position(to), new: .position(from))
          #expect(board.history.transactions.last?.changes == [back])
          #expect(board.canvases.map(\.id) == Self.ids(1...count))
        }
      }
    }
  }

  @Test("A history made of whole orders, as older versions wrote it, can be undone and redone")
  func wholeOrders() throws {
    var board = Board(columns: 4, rows: 1)
    board.send(.moveCanvas(c4, to: 0), .removeCanvas(c2))
    let orders = [Self.ids(1...4), Self.ids([4, 1, 2, 3]), Self.ids([4, 1, 3])]
    let old = board.history.transactions.enumerated().map { index, transaction in
      Transaction(
        revision: transaction.revision,
        at: transaction.at,
        kind: transaction.kind,
        isLocked: false,
        changes: transaction.changes.filter { $0.key != .position } + [
          Change(canvas: nil, key: .canvases, old: .canvases(orders[index]), new: .canvases(orders[index + 1]))
        ]
      )
    }
    var older = try Board(Snapshot(board), revision: board.revision, history: History(old))
    for event in [Event.undo, .undo, .redo, .redo, .undo] {
      board.send(event)
      older.send(event)
      #expect(Snapshot(older) == Snapshot(board), "\(event)")
    }
  }

  // The order is compared as a whole in a take: that it changed and changed back must not be a step.
  @Test("A take during which canvases move and move back is not an undo step")
  func inTake() {
    var board = Board(columns: 3, rows: 1)
    board.send(.tap(c1), .tap(c2), .undo)
    board.sendTogether(.moveCanvas(c1, to: 1), .recordStart(take: Parts.take(1)))
    board.sendTogether(.recordDiscard, .moveCanvas(c2, to: 1))
    #expect(board.canvases.map(\.id) == Self.ids(1...3))
    #expect(board.send(.redo)[0].isChanged)
    #expect(board.session == .previewing(c2))
  }
}
