import BoardStore
import CanvasModel
import SystemPackage
import TestSupport
import Testing

/// The fixture has members at every level that no version knows.
@Suite("Unknown members of a board's file")
struct UnknownKeysTests {
  private let scratch: ScratchFolder
  private let file: BoardFile

  init() throws {
    scratch = try ScratchFolder()
    file = BoardFile(at: try scratch.copy(Schemas.first, as: "board.json"))
  }

  private func send(_ events: String...) throws {
    for event in events {
      let line = try EventLine(parsing: Array(event.utf8))
      let outcome = try file.transact { board in
        board.apply(line.event, at: Instant(secondsSince1970: 0) ?? { preconditionFailure("zero") }())
      }
      guard case .changed = outcome else { throw Unexpected(outcome: outcome, event: event) }
    }
  }

  private struct Unexpected: Error {
    let outcome: Outcome
    let event: String
  }

  private var json: JSON {
    get throws { try JSON(parsing: try ScratchFolder.read(file.path)) }
  }

  private func canvas(_ id: String) throws -> JSON? {
    guard case .array(let canvases) = try json["canvases"] else { return nil }
    return canvases.first { $0["id"] == .string(id) }
  }

  private func expectBoardAndCanvases() throws {
    let json = try json
    #expect(json["theme"] == .string("dark") && json["~"] == .bool(false))
    #expect(try canvas("c1")?["label"] == .string("the étude"))
    #expect(try canvas("c1")?["region"]?["rotation"] == .number("12345678901234567890123"))
    #expect(try canvas("c2")?["zoom"] == .number("1.0E+2"))
    guard case .array(let history) = json["history"] else {
      Issue.record("no history")
      return
    }
    #expect(history.first?["by"] == .string("somebody"))
    guard case .array(let changes) = history.first?["changes"] else {
      Issue.record("no changes")
      return
    }
    #expect(changes.first?["why"] == .null)
  }

  @Test("An unchanged document is written with the same bytes")
  func sameBytes() throws {
    let document = try file.read()
    let fixture = String(decoding: try ScratchFolder.read(Schemas.first), as: UTF8.self)
    #expect(String(decoding: document.bytes, as: UTF8.self) == fixture.replacing("\\u00e9", with: "é"))
  }

  @Test("Unknown members survive a recording")
  func recording() throws {
    try send(#"{"event":"recordResume"}"#, #"{"event":"recordPause"}"#)
    #expect(try json["take"]?["camera"]?["lens"] == .array([.number("1"), .object([:]), .array([])]))
    try send(#"{"event":"recordStop"}"#, #"{"event":"takeFinished","take":"t4","clip":{"path":"b.mp4"}}"#)
    try expectBoardAndCanvases()
    #expect(try json["take"] == nil)
    #expect(try canvas("c1")?["clip"]?["rating"] == .number("5.50"))
  }

  @Test("Unknown members survive taps, moves, imports, undo and redo")
  func taps() throws {
    try send(
      #"{"event":"recordDiscard"}"#,
      #"{"event":"tap","canvas":"c1"}"#,
      #"{"event":"tap","canvas":"c2"}"#,
      #"{"event":"importClip","canvas":"c2","clip":{"path":"b.mp4"}}"#,
      #"{"event":"moveCanvas","canvas":"c1","to":1}"#,
      #"{"event":"undo"}"#,
      #"{"event":"redo"}"#,
      #"{"event":"undo"}"#,
      #"{"event":"addCanvas","canvas":"c3"}"#
    )
    try expectBoardAndCanvases()
    #expect(try canvas("c1")?["clip"]?["rating"] == .number("5.50"))
    #expect(try canvas("c1")?["cover"]?["madeBy"] == .string("a later version"))
  }

  @Test("Unknown members of a clip are removed with the clip, and restored with it")
  func clips() throws {
    try send(
      #"{"event":"recordDiscard"}"#,
      #"{"event":"importClip","canvas":"c1","clip":{"path":"b.mp4"},"replace":true}"#
    )
    #expect(try canvas("c1")?["clip"]?["rating"] == nil)
    #expect(try canvas("c1")?["cover"]?["madeBy"] == nil)
    try send(#"{"event":"undo"}"#)
    #expect(try canvas("c1")?["clip"]?["path"] == .string("a.mp4"))
    #expect(try canvas("c1")?["clip"]?["rating"] == .number("5.50"))
    #expect(try canvas("c1")?["cover"]?["madeBy"] == .string("a later version"))
    try send(
      #"{"event":"removeClip","canvas":"c1"}"#,
      #"{"event":"tap","canvas":"c2"}"#,
      #"{"event":"undo"}"#,
      #"{"event":"undo"}"#
    )
    #expect(try canvas("c1")?["clip"]?["rating"] == .number("5.50"))
    try expectBoardAndCanvases()
  }
}
