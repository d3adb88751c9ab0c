import CanvasModel
import SystemPackage
import TestSupport
import Testing

@testable import BoardStore

/// A board as the first version wrote it, with answers and whole orders in its history, and that version's answers to
/// events on it.
@Suite("Boards of older versions")
struct OlderBoardTests {
  private let scratch: ScratchFolder
  private let file: BoardFile

  init() throws {
    scratch = try ScratchFolder()
    file = BoardFile(at: try scratch.copy(Self.schema("json"), as: "board.json"))
  }

  private static func schema(_ kind: String) -> FilePath {
    ProjectFolder.top.appending("Tests/BoardStoreTests/Schemas/schema-1-history.\(kind)")
  }

  private static func lines(_ kind: String) throws -> [[UInt8]] {
    try ScratchFolder.read(schema(kind)).split(separator: UInt8(ascii: "\n")).map(Array.init)
  }

  private func send(_ line: [UInt8]) throws -> JSON {
    let line = try EventLine(parsing: line)
    let instant = try #require(line.at)
    return try file.transact { board in
      let outcome = board.apply(line.event, at: instant)
      return JSON(outcome, board: board)
    }
  }

  /// Whether an answer has the state between a preview and its take.
  ///
  /// Since then both are one step, which undo and redo take as a whole.
  private func isBetweenSteps(_ answer: JSON) -> Bool {
    guard case .array(let canvases)? = answer["state"]?["canvases"] else { return false }
    return canvases.contains { $0["status"] == .string("inPreview") && $0["generation"] == .null }
  }

  @Test("Undo and redo answer as in the version that wrote the board, although it is written again after each")
  func answers() throws {
    let events = try Self.lines("events.ndjson")
    let answers = try Self.lines("answers.ndjson").map { try JSON(parsing: $0) }
    try #require(events.count == answers.count && events.count > 30)
    var mergedSteps = 0
    var isMerged = false
    for (event, answer) in zip(events, answers) {
      if isBetweenSteps(answer) {
        isMerged = true
        continue
      }
      let new = try send(event)
      for key in ["outcome", "reason", "state"] { #expect(new[key] == answer[key], "\(key)") }
      #expect((new["changes"] == answer["changes"]) != isMerged)
      mergedSteps += isMerged ? 1 : 0
      isMerged = false
    }
    #expect(mergedSteps == 3, "undone, made again and undone")
  }

  @Test("A board that is only read is written with the same bytes")
  func sameBytes() throws {
    #expect(try file.read().bytes == ScratchFolder.read(Self.schema("json")))
  }

  @Test(
    "The last cover is kept when many answers push older ones out of a history without arguments",
    .enabled(if: Scope.isFull)
  )
  func manyAnswers() throws {
    // c1 has its third clip; its second never got a cover, and its first has one.
    for number in 0..<120 {
      let reason = #"{"event":"coverFailed","canvas":"c1","generation":4,"reason":"\#(number)","at":1}"#
      _ = try send(Array((number % 2 == 0 ? reason : #"{"event":"coverRetry","canvas":"c1","at":1}"#).utf8))
    }
    let undo = Array(#"{"event":"undo","at":1}"#.utf8)
    for _ in 0..<4 { _ = try send(undo) }
    func cover() throws -> Cover? { try file.read().board.canvases.first { $0.id.description == "c1" }?.cover }
    #expect(try file.read().board.canvases.map(\.id.description) == ["c1", "c2", "c3"])
    _ = try send(undo)
    #expect(try cover() == .pending)
    _ = try send(undo)
    #expect(try cover() == .ready(try #require(CoverFile(path: "board.covers/c1-1.png", width: 320))))
  }

  @Test("A board with a name that is not valid is not read, and `repair` renames the canvas everywhere")
  func names() throws {
    let undo = Array(#"{"event":"undo","at":1}"#.utf8)
    for canvas in ["c3", "my_canvas"] { _ = try send(Array(#"{"event":"tap","canvas":"\#(canvas)","at":1}"#.utf8)) }
    let before = try file.read().board
    let text = String(decoding: try ScratchFolder.read(file.path), as: UTF8.self)
    try scratch.write(text.replacing(#""my_canvas""#, with: #""my canvas""#).utf8, as: "board.json")
    let problem = "1 canvas name is not valid: 'my canvas'"
    #expect(throws: BoardError.unreadable(.corrupt(problem))) { try file.read() }
    #expect(throws: BoardError.unreadable(.corrupt(problem))) { try file.transact { _ in } }
    let repair = try #require(try file.repair(lockTimeout: .seconds(5)))
    #expect(repair.renamed.map { "\($0.key) \($0.value)" } == ["my canvas my_canvas"])
    #expect(repair.forgotten == 0 && repair.problem == problem)
    // The first version wrote the same board with the valid name.
    #expect(repair.board == before)
    #expect(try file.read().board == before)
    #expect(!String(decoding: try ScratchFolder.read(file.path), as: UTF8.self).contains(#""my canvas""#))
    #expect(try file.repair(lockTimeout: .seconds(5))?.problem == nil)
    for _ in 0..<5 { _ = try send(undo) }
    #expect(try file.read().board.session.name == .idle)
  }
}
