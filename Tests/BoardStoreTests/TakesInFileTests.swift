import CanvasModel
import SystemPackage
import TestSupport
import Testing

@testable import BoardStore

@Suite("Takes and parts of clips in a board's file")
struct TakesInFileTests {
  private let scratch: ScratchFolder
  private let file: BoardFile

  init() throws {
    scratch = try ScratchFolder()
    file = BoardFile(at: scratch("board.json"))
    try file.create(Board(columns: 2, rows: 1))
  }

  private func send(_ events: String...) throws {
    for event in events {
      let line = try EventLine(parsing: Array(event.utf8))
      let outcome = try file.transact { $0.apply(line.event, at: .epoch) }
      guard case .changed = outcome else { throw Unchanged(event: event, outcome: outcome) }
    }
  }

  private struct Unchanged: Error {
    let event: String
    let outcome: Outcome
  }

  private var json: JSON { get throws { try JSON(parsing: try ScratchFolder.read(file.path)) } }

  private static let (first, second, part) = (
    #"{"event":"importClip","canvas":"c1","clip":{"path":"a.mp4","durationSeconds":4}}"#,
    #"{"event":"importClip","canvas":"c1","clip":{"path":"b.mp4"},"replace":true}"#,
    #"{"event":"trimClip","canvas":"c1","from":0.5,"to":3}"#
  )

  @Test("A board has version 1, which older programs change, until it has a take or a part of a clip")
  func version() throws {
    try send(Self.first)
    #expect(try json["schemaVersion"] == .number("1") && json["takes"] == nil)
    try send(Self.part)
    #expect(try json["schemaVersion"] == .number("2"))
    #expect(try file.read().schemaVersion == 2)
    try send(#"{"event":"undo"}"#)
    // Its history has the part.
    #expect(try json["schemaVersion"] == .number("2"))
    try file.create(Board(columns: 2, rows: 1), replaces: true)
    try send(Self.first, Self.second)
    #expect(try json["schemaVersion"] == .number("2"))
  }

  @Test("What is written is read as the same board, and the file keeps its bytes")
  func roundTrip() throws {
    try send(Self.first, Self.part, Self.second, #"{"event":"importClip","canvas":"c2","clip":{"path":"a.mp4"}}"#)
    try send(#"{"event":"removeClip","canvas":"c2"}"#, #"{"event":"useTake","canvas":"c1","generation":2}"#)
    let bytes = try ScratchFolder.read(file.path)
    let document = try file.read()
    #expect(document.bytes == bytes)
    let c1 = try #require(document.board.canvases.first)
    #expect(c1.clip?.trim == Trim(from: 0.5, to: 3) && c1.takes.map(\.clip.file.path) == ["b.mp4"])
    #expect(document.board.canvases[1].takes.map(\.clip.generation) == [4])
    try send(#"{"event":"undo"}"#, #"{"event":"redo"}"#)
    #expect(try Snapshot(file.read().board) == Snapshot(document.board))
  }

  @Test("Unknown members of a take, its clip and its cover are kept, also when it is used and trimmed")
  func unknown() throws {
    try send(Self.first, Self.second)
    var text = String(decoding: try ScratchFolder.read(file.path), as: UTF8.self)
    let start = try #require(text.firstRange(of: "\"takes\": ["))
    let takes = text[start.upperBound...]
      .replacing("\"canvas\": \"c1\"", with: "\"canvas\": \"c1\", \"label\": \"good\"")
      .replacing("\"path\": \"a.mp4\"", with: "\"path\": \"a.mp4\", \"rating\": 5")
      .replacing("\"state\": \"pending\"", with: "\"state\": \"pending\", \"by\": \"me\"")
    text.replaceSubrange(start.upperBound..., with: takes)
    try scratch.write(text.utf8, as: "board.json")
    try send(#"{"event":"tap","canvas":"c2"}"#)
    guard case .array(let kept) = try json["takes"] else { return #expect(Bool(false)) }
    #expect(kept.count == 1 && kept[0]["label"] == .string("good") && kept[0]["canvas"] == .string("c1"))
    #expect(kept[0]["clip"]?["rating"] == .number("5") && kept[0]["cover"]?["by"] == .string("me"))
    try send(#"{"event":"useTake","canvas":"c1","generation":1}"#, #"{"event":"trimClip","canvas":"c1","from":1}"#)
    guard case .array(let canvases) = try json["canvases"] else { return #expect(Bool(false)) }
    #expect(canvases[0]["clip"]?["rating"] == .number("5") && canvases[0]["clip"]?["from"] == .number("1"))
    #expect(canvases[0]["clip"]?["generation"] == .number("5"))
    try send(#"{"event":"trimClip","canvas":"c1"}"#, #"{"event":"removeClip","canvas":"c1"}"#)
    guard case .array(let again) = try json["takes"] else { return #expect(Bool(false)) }
    #expect(again.map { $0["clip"]?["rating"] } == [nil, .number("5")])
  }

  @Test(
    "Takes that contradict the board are reported",
    arguments: [
      ("\"canvas\": \"c1\"", "\"canvas\": \"c9\"", "the unknown canvas 'c9'"),
      ("\"path\": \"a.mp4\"", "\"path\": \"b.mp4\"", "two takes of c1 have one file"),
      ("\"generation\": 1", "\"generation\": 9", "the revision is 2"),
      ("\"state\": \"pending\"", "\"state\": \"none\"", "no state of its cover"),
      ("\"generation\": 1", "\"generation\": 1, \"to\": 0", "has no part of a clip"),
      ("\"cover\"", "\"covers\"", "cover is missing"),
    ]
  )
  func contradictions(old: String, new: String, problem: String) throws {
    try send(Self.first, Self.second)
    let text = String(decoding: try ScratchFolder.read(file.path), as: UTF8.self)
    let start = try #require(text.firstRange(of: "\"takes\": ["))
    let damaged = text[..<start.upperBound] + text[start.upperBound...].replacing(old, with: new)
    try scratch.write(String(damaged).utf8, as: "board.json")
    let error = #expect(throws: BoardError.self) { try file.read() }
    guard case .unreadable(.corrupt(let what)) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(what.contains(problem), "\(what)")
    // What can be read of the takes is repaired with the rest.
    let repaired = try #require(try file.repair(lockTimeout: .seconds(5)))
    #expect(repaired.board.canvases[0].clip?.file.path == "b.mp4")
    #expect(try file.read().board.canvases.count == 2)
  }

  @Test("A damaged board keeps its takes in a repair")
  func repaired() throws {
    try send(Self.first, Self.second)
    let text = String(decoding: try ScratchFolder.read(file.path), as: UTF8.self)
    try scratch.write(text.replacing("\"session\": \"idle\"", with: "\"session\": \"idl\"").utf8, as: "board.json")
    let repaired = try #require(try file.repair(lockTimeout: .seconds(5)))
    #expect(repaired.board.canvases[0].takes.map(\.clip.file.path) == ["a.mp4"])
    #expect(try file.read().board.canvases[0].takes.count == 1)
  }

  @Test("Forgotten steps are written although the revision stays")
  func forgetting() throws {
    try send(Self.first, Self.second, #"{"event":"tap","canvas":"c1"}"#)
    try file.transact { $0.forgetHistory(upTo: 2) }
    let board = try file.read().board
    #expect(board.revision == 3 && board.history.transactions.map(\.revision) == [3] && board.undoableSteps == 1)
  }

  @Test(
    "Ten thousand takes are read, changed and written within the limits of a document",
    .enabled(if: Scope.isFull)
  )
  func many() throws {
    var snapshot = Snapshot(try file.read().board)
    snapshot.canvases[0].takes = try (1...10_000).map { number in
      let clip = ClipFile(
        path: "board.clips/c1-take-\(number).webm",
        bytes: 1_234_567 + number,
        mtimeNanoseconds: 1_795_333_558_951_925_353,
        durationSeconds: 12.345678
      )
      let cover = CoverFile(path: "board.covers/c1-\(number).png", width: 3840, height: 2160, actualTime: 0.123456)
      return KeptTake(clip: Clip(file: try #require(clip), generation: number), cover: .ready(try #require(cover)))
    }
    try file.create(try Board(snapshot, revision: 10_000, history: History()), replaces: true)
    let time = try ThreadTime.measure {
      try send(#"{"event":"useTake","canvas":"c1","generation":5000}"#, #"{"event":"undo"}"#)
    }
    #expect(try Snapshot(file.read().board) == snapshot)
    #expect(time < .seconds(20), "\(time)")
  }
}
