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

  @Test("An ID is repaired to a valid one that is not in use")
  func repaired() throws {
    func repaired(_ text: String, _ used: Set<String> = []) throws -> String {
      try Self.id(text).repaired { used.contains($0.description) }.description
    }
    #expect(try repaired("a b") == "a_b")
    #expect(try repaired("a b", ["a_b", "a_b-2"]) == "a_b-3")
    #expect(try repaired("none") == "none-2")
    #expect(try repaired("é") == "_")
    let long = String(repeating: "x", count: 100)
    #expect(try repaired(long) == String(repeating: "x", count: 64))
    #expect(try repaired(long, [String(repeating: "x", count: 64)]) == String(repeating: "x", count: 62) + "-2")
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
