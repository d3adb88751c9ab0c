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

  @Test("A board that was changed often has the text of one that is written from nothing")
  func sameText() throws {
    #expect(try text == writtenAnew)
  }

  @Test(
    "A file that another program formatted is formatted as usual at the next change",
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
