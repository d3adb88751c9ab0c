import CanvasModel
import Testing

@Suite("IDs of canvases")
struct CanvasIDTests {
  private static func id(_ text: String) throws -> CanvasID { try #require(CanvasID(text)) }

  @Test(
    "Letters, digits, - and _ are valid, up to 64 bytes",
    arguments: ["c1", "C-1_x", "-", String(repeating: "a", count: 64)]
  )
  func valid(_ text: String) throws {
    #expect(try Self.id(text).isValid)
    var board = Board(columns: 1, rows: 1)
    let outcome = board.send(.addCanvas(try Self.id(text)))[0]
    #expect(outcome.isChanged == (text != "c1"))
  }

  @Test(
    "Other IDs are refused for new canvases",
    arguments: ["none", "a b", "a.b", "é", "a\n", "a,b", "ａ", String(repeating: "a", count: 65), "\u{1F3A5}"]
  )
  func invalid(_ text: String) throws {
    var board = Board(columns: 1, rows: 1)
    let outcome = board.send(.addCanvas(try Self.id(text)))
    #expect(outcome == [.refused(.badCanvasID)])
  }

  /// Returns a board with these IDs.
  private func board(_ ids: [String]) throws -> Board {
    var snapshot = Snapshot(Board(columns: ids.count, rows: 1))
    for (index, id) in ids.enumerated() { snapshot.canvases[index].id = try Self.id(id) }
    return try Board(snapshot, revision: 0, history: History())
  }

  @Test(
    "An ID is repaired to a valid, unused ID",
    arguments: [
      (["a b"], ["a_b"]), (["a_b", "a b"], ["a_b", "a_b-2"]), (["a b", "a_b"], ["a_b-2", "a_b"]),
      (["a b", "a_b-2", "a_b", "a$b"], ["a_b-3", "a_b-2", "a_b", "a_b-4"]), (["none"], ["none-2"]), (["é"], ["_"]),
      (["$(touch x)", "`x`", "a\nb\0", "\u{202e}c1"], ["__touch_x_", "_x_", "a_b_", "_c1"]),
      (
        [String(repeating: "x", count: 100), String(repeating: "x", count: 64)],
        [String(repeating: "x", count: 62) + "-2", String(repeating: "x", count: 64)]
      ),
    ]
  )
  func repaired(_ ids: [String], _ expected: [String]) throws {
    let board = try board(ids)
    let names = board.invalidIDs
    #expect(names.values.allSatisfy { $0.isValid })
    #expect(board.renaming(names).canvases.map(\.id.description) == expected)
  }

  @Test("Thousands of IDs that resemble each other are repaired in a moment", .timeLimit(.minutes(10)))
  func many() throws {
    let ids = (0..<10_000).compactMap { UnicodeScalar($0 + 0x2_0000).map { String(Character($0)) } }
    let names = try board(ids).invalidIDs
    #expect(names.count == ids.count && Set(names.values).count == ids.count)
    #expect(names.values.allSatisfy { $0.isValid })
  }

  @Test("IDs in the history are repaired too, and never to the ID of a canvas that an undo would restore")
  func history() throws {
    func change(_ id: String) throws -> Change { Change(canvas: try Self.id(id), key: .region, old: .none, new: .none) }
    let parts: [(changes: [Change], events: [Event], covers: [CanvasID: Cover])] = [
      ([try change("a$")], [], [:]), ([], [.addCanvas(try Self.id("a$"), nil)], [:]),
      ([], [.moveCanvas(try Self.id("a$"), to: 0)], [:]), ([], [], [try Self.id("a$"): .pending]),
      ([Change(canvas: nil, key: .canvases, old: .canvases([try Self.id("a$")]), new: .none)], [], [:]),
    ]
    for part in parts {
      func transaction(_ revision: Int, _ changes: [Change]) -> Transaction {
        let kind = Transaction.Kind.step([.tap])
        return Transaction(
          revision: revision,
          at: .epoch,
          kind: kind,
          isLocked: false,
          changes: changes,
          events: part.events,
          covers: part.covers
        )
      }
      let history = History([transaction(1, part.changes), transaction(2, [try change("a_")])])
      let board = try Board(Snapshot(Board(columns: 1, rows: 1)), revision: 2, history: history)
      #expect(board.invalidIDs == [try Self.id("a$"): try Self.id("a_-2")])
      #expect(board.renaming(board.invalidIDs).invalidIDs.isEmpty)
    }
  }

  @Test("Renaming canvases keeps the board otherwise, with its history, focus and take")
  func renaming() throws {
    let events: [(CanvasID) -> [Event]] = [
      { [.importClip($0, Parts.clip("a")), .coverReady($0, generation: 1, Parts.cover("a")), .tap($0)] },
      { [.moveCanvas($0, to: 1), .recordStart(take: Parts.take(1), replace: true), .recordPause] },
    ]
    // The same board with an old ID and with a valid one.
    func board(_ id: CanvasID) throws -> Board {
      var snapshot = Snapshot(Board(columns: 2, rows: 1))
      snapshot.canvases[0].id = id
      var board = try Board(snapshot, revision: 0, history: History())
      for events in events { board.send(events(id)) }
      return board
    }
    let (old, new) = (try Self.id("my canvas"), try Self.id("my_canvas"))
    let before = try board(old)
    #expect(before.invalidIDs == [old: new])
    let expected = try board(new)
    #expect(before.renaming(before.invalidIDs) == expected && expected.invalidIDs.isEmpty)
  }
}
