import Testing

@testable import BoardSupport

@Suite("Lines of text in terminal columns")
struct CellTextLinesTests {
  @Test(
    "Text is broken between words, as Python's textwrap does",
    arguments: [
      ("", 10, []), ("one", 10, ["one"]), ("one two three", 7, ["one two", "three"]),
      ("one two three", 5, ["one", "two", "three"]), ("  one   two  ", 20, ["one two"]),
      ("abcdefghij xy", 4, ["abcd", "efgh", "ij", "xy"]), ("日本語です", 4, ["日本", "語で", "す"]),
      ("é e\u{301} é", 3, ["é e\u{301}", "é"]),
    ] as [(String, Int, [String])]
  )
  func lines(_ text: String, _ width: Int, _ lines: [String]) {
    #expect(CellText.lines(of: text, width: width) == lines)
  }

  @Test("No line is wider than asked for, and nothing is lost", arguments: 2...12)
  func bounds(_ width: Int) {
    let text = "the recording has ended; 日本語のファイル名 add its clip with 'clipcanvas board record finish --clip FILE'"
    let lines = CellText.lines(of: text, width: width)
    #expect(lines.allSatisfy { CellText.width($0) <= width })
    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
  }
}
