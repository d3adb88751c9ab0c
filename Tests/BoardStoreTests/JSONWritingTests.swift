import BoardStore
import Testing

@Suite("JSON writing")
struct JSONWritingTests {
  private func written(_ text: String) throws -> String {
    String(decoding: try JSON(parsing: Array(text.utf8)).line, as: UTF8.self)
  }

  @Test(
    "Numbers are written with the digits they were read with",
    arguments: [
      "0", "-0", "1.0", "1.50", "1E+2", "12345678901234567890123", "0.1e-400", "-1e999", "1795270137123456789",
    ]
  )
  func digits(_ number: String) throws {
    #expect(try written(number) == number)
  }

  @Test("A number created by the program is written in the shortest form that is read as the same value")
  func numbers() {
    #expect(JSON(1.0) == .number("1") && JSON(-0.0) == .number("0") && JSON(0.1) == .number("0.1"))
    for number in [1e300, .leastNonzeroMagnitude, .pi, 1_795_270_137.123, -1e21] {
      guard case .number(let digits) = JSON(number) else {
        Issue.record("no number")
        return
      }
      #expect(Double(digits) == number)
      #expect((try? JSON(parsing: Array(digits.utf8))) == .number(digits))
    }
    #expect(JSON(Int.min) == .number("-9223372036854775808"))
  }

  @Test("Only characters that must be escaped are escaped")
  func escapes() throws {
    #expect(
      try written(#""\u0000\u001f\u007f\"\\\/\b\f\n\r\té\u20ac\ud83d\ude39""#)
        == #""\u0000\u001f\u007f\"\\/\u0008\u000c\n\r\té€😹""#
    )
  }

  @Test("Names are sorted by their bytes, not by Swift's string comparison")
  func order() throws {
    #expect(
      try written(
        "{\"b\":1,\"a\":2,\"B\":3,\"\":4,\"\u{e9}\":5,\"e\u{301}\":6,\"z\":7,\"a0\":8,\"\u{1F639}\":9,\"\u{FFFF}\":10}"
      )
        == "{\"\":4,\"B\":3,\"a\":2,\"a0\":8,\"b\":1,\"e\u{301}\":6,\"z\":7,\"\u{e9}\":5,\"\u{FFFF}\":10,\"\u{1F639}\":9}"
    )
  }

  @Test("A document is indented")
  func document() throws {
    let json = try JSON(parsing: Array(#"{"b":[],"a":{"c":[1,{}]}}"#.utf8))
    #expect(
      String(decoding: json.document, as: UTF8.self) == """
        {
          "a": {
            "c": [
              1,
              {}
            ]
          },
          "b": []
        }

        """
    )
  }
}
