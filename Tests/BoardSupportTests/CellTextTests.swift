import BoardSupport
import TestSupport
import Testing

@Suite("Text in columns")
struct CellTextTests {
  /// The scripts and symbols whose widths are to be exact; emoji outside the usual blocks are not.
  private static let exact: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0xA0...0x22FF, 0x2E80...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFE0F,
    0xFE30...0xFFE6, 0x1F400...0x1F43E, 0x1F600...0x1F64F, 0x1F680...0x1F6C5, 0x20000...0x2FFFD,
  ]

  @Test("The width of each character is its East Asian Width by Python's Unicode database; marks take no column")
  func unicode() async throws {
    let script = """
      import sys, unicodedata as u
      for part in sys.argv[1:]:
          first, last = map(int, part.split("-"))
          for code in range(first, last + 1):
              c = chr(code)
              if u.category(c) in ("Cn", "Cc", "Cs", "Co"): continue
              print(code, 0 if u.category(c) in ("Mn", "Me", "Cf") else 2 if u.east_asian_width(c) in "WF" else 1)
      """
    let ranges = Self.exact.map { "\($0.lowerBound)-\($0.upperBound)" }
    let result = try await Program.runTool("python3", ["-c", script] + ranges)
    let lines = result.text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.count > 90_000)
    let others = try lines.filter { line in
      let scalar = try #require(UInt32(line[0]).flatMap(Unicode.Scalar.init))
      return CellText.width(String(scalar)) != Int(line[1])
    }
    #expect(others.isEmpty, "\(others.prefix(20).map { $0.joined(separator: ": ") })")
  }

  @Test(
    "The width of a text is that of its characters, without the sequences of colours",
    arguments: [
      ("", 0), ("cover", 5), ("Überraschung", 12), ("e\u{301}", 1), ("日本語", 6), ("한국어 a", 8), ("ｆｕｌｌ", 8), ("● REC", 5),
      ("\u{1B}[31m● REC\u{1B}[0m", 5), ("\u{1B}[31;1m日\u{1B}[0m", 2), ("👍", 2),
    ]
  )
  func width(text: String, columns: Int) {
    #expect(CellText.width(text) == columns)
  }

  @Test(
    "A text that does not fit ends in an ellipsis, and no wide character is halved",
    arguments: [
      ("cover", 5, "cover"), ("cover", 6, "cover"), ("cover", 4, "cov…"), ("cover", 1, "…"), ("cover", 0, ""),
      ("cover", -1, ""), ("", 0, ""), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
      ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ]
  )
  func cut(text: String, most: Int, expected: String) {
    #expect(CellText.cut(text, to: most) == expected)
  }

  @Test(
    "A text whose start is cut off begins with an ellipsis, and no wide character is halved",
    arguments: [
      ("cover", 5, "cover"), ("cover", 4, "…ver"), ("cover", 1, "…"), ("cover", 0, ""), ("", 0, ""),
      ("日本語", 6, "日本語"), ("日本語", 5, "…本語"), ("日本語", 4, "…語"), ("e\u{301}e\u{301}e\u{301}", 2, "…e\u{301}"),
    ]
  )
  func cutStart(text: String, most: Int, expected: String) {
    #expect(CellText.cutStart(text, to: most) == expected)
  }

  @Test(
    "A text is centred by its columns, with the odd one on the right",
    arguments: [
      ("ab", 6, "  ab  "), ("ab", 5, " ab  "), ("ab", 2, "ab"), ("ab", 1, "ab"), ("日", 5, " 日  "), ("", 3, "   "),
      ("\u{1B}[31m+\u{1B}[0m", 3, " \u{1B}[31m+\u{1B}[0m "),
    ]
  )
  func centred(text: String, columns: Int, expected: String) {
    #expect(CellText.centred(text, in: columns) == expected)
  }
}
