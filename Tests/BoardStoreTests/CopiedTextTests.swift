import BoardStore
import CanvasModel
import SystemPackage
import TestSupport
import Testing

/// What did not change is copied from the text that was read, which must not be noticed.
@Suite("Copied parts of a board's file")
struct CopiedTextTests {
  private let scratch: ScratchFolder
  private let file: BoardFile

  init() throws {
    scratch = try ScratchFolder()
    file = BoardFile(at: scratch("board.json"))
    try file.create(Board(columns: 3, rows: 1))
    for number in [1, 2, 3, 2] { try tap(number) }
  }

  private func tap(_ number: Int) throws {
    let outcome = try file.transact { $0.apply(.tap(CanvasID(number: number)), at: .epoch) }
    guard case .changed = outcome else { throw Unexpected(outcome: outcome) }
  }

  private struct Unexpected: Error {
    let outcome: Outcome
  }

  private var text: String {
    get throws { String(decoding: try ScratchFolder.read(file.path), as: UTF8.self) }
  }

  /// The text of the same board, written from nothing.
  private var writtenAnew: String {
    get throws { String(decoding: BoardDocument(try file.read().board).bytes, as: UTF8.self) }
  }

  @Test("After many changes, a file is the same as if it were written from nothing")
  func sameText() throws {
    #expect(try text == writtenAnew)
  }

  @Test(
    "A file that another program formatted is formatted as usual at the next change",
    .enabled(if: Scope.isFull),
    arguments: [
      ("\n      ", "\n\t"), ("\": ", "\":"), (",\n", ",\n\n"), ("\"c2\"", "\"\\u0063\\u0032\""), ("{\n", "{ \n"),
      ("\n    }", "}"), ("\n", "\r\n"), ("        \"width\"", "       \"width\""),
    ]
  )
  func foreignFormat(_ usual: String, _ other: String) throws {
    let before = try text
    try #require(before.contains(usual))
    try ScratchFolder.write(before.replacing(usual, with: other).utf8, to: file.path)
    try tap(1)
    #expect(try text == writtenAnew)
  }

  /// Two clips for one canvas, and 101 answers about the cover of the second one.
  ///
  /// A history has 100, so when it is read, the first answer becomes part of the step before it.
  private static var manyAnswers: JSON {
    func clip(_ generation: Int, _ name: String) -> JSON {
      .object(["generation": JSON(generation), "path": .string(name)])
    }
    func cover(_ isReady: Bool) -> JSON {
      .object(["state": .string(isReady ? "ready" : "pending"), "path": isReady ? .string("b.png") : nil])
    }
    func transaction(_ revision: Int, _ event: String, isStep: Bool?, _ changes: [JSON]) -> JSON {
      .object([
        "at": JSON(0), "revision": JSON(revision), "events": .array([.string(event)]), "step": isStep.map { .bool($0) },
        "changes": .array(changes),
      ])
    }
    func change(_ key: String, _ old: JSON, _ new: JSON) -> JSON {
      .object(["canvas": .string("c1"), "key": .string(key), "old": old, "new": new])
    }
    let none = JSON.object(["state": .string("none")])
    var history = [
      transaction(
        1,
        "importClip",
        isStep: nil,
        [change("clip", .null, clip(1, "a.mp4")), change("cover", none, cover(false))]
      ),
      transaction(2, "importClip", isStep: nil, [change("clip", clip(1, "a.mp4"), clip(2, "b.mp4"))]),
    ]
    for number in 0...100 {
      let isReady = number.isMultiple(of: 2)
      let answer = [change("cover", cover(!isReady), cover(isReady))]
      history.append(transaction(number + 3, isReady ? "coverReady" : "coverRetry", isStep: false, answer))
    }
    let region = JSON.object(["x": JSON(0), "y": JSON(0), "width": JSON(1), "height": JSON(1)])
    let canvas = JSON.object([
      "id": .string("c1"), "isSelected": .bool(false), "status": .string("noPreview"), "clip": clip(2, "b.mp4"),
      "cover": cover(true), "region": region,
    ])
    return .object([
      "schemaVersion": JSON(1), "revision": JSON(103), "session": .string("idle"), "history": .array(history),
      "canvases": .array([canvas]),
    ])
  }

  @Test(
    "A step that took over an answer while it was read is not copied",
    .enabled(if: Scope.isFull),
    arguments: [true, false]
  )
  func manyAnswers(_ isCanonical: Bool) throws {
    try ScratchFolder.write(isCanonical ? Self.manyAnswers.document : Self.manyAnswers.line, to: file.path)
    try tap(1)
    for _ in 0..<2 {
      let line = try EventLine(parsing: Array(#"{"event":"undo"}"#.utf8))
      _ = try file.transact { $0.apply(line.event, at: .epoch) }
    }
    let canvas = try file.read().board.canvases[0]
    #expect(canvas.clip?.file.path == "a.mp4" && canvas.cover == .pending, "\(canvas)")
  }

  @Test("A character that is escaped in the file is not copied as it is")
  func delete() throws {
    let clip = try #require(ClipFile(path: "a\u{7F}.mp4"))
    _ = try file.transact { $0.apply(.importClip(CanvasID(number: 3), clip), at: .epoch) }
    try ScratchFolder.write(try text.replacing(#"\u007f"#, with: "\u{7F}").utf8, to: file.path)
    try tap(1)
    #expect(try text == writtenAnew)
  }

  @Test("Members in another order are sorted at the next change")
  func order() throws {
    let before = try text
    let (first, second) = ("\"x\": 0,", "\"y\": 0")
    try #require(before.contains("\(first)\n        \(second)"))
    let other = before.replacing("\(first)\n        \(second)", with: "\(second),\n        \"x\": 0")
    try ScratchFolder.write(other.utf8, to: file.path)
    try tap(1)
    #expect(try text == writtenAnew)
  }

  @Test("The digits of a number stay as they are where nothing changes")
  func digits() throws {
    try ScratchFolder.write(try text.replacing(#""x": 0,"#, with: #""x": 0.00,"#).utf8, to: file.path)
    try tap(3)
    let after = try text
    try #require(after.contains(#""x": 0.00,"#))
    #expect(try after.replacing(#""x": 0.00,"#, with: #""x": 0,"#) == writtenAnew)
  }
}
