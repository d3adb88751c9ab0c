import Covers
import Testing

@Suite("Fractions")
struct RationalTests {
  @Test("The denominator must be greater than 0", arguments: [0, -1, .min])
  func denominator(denominator: Int) {
    #expect(Rational(1, over: denominator) == nil)
  }

  @Test(
    "A fraction is reduced to lowest terms",
    arguments: [
      ((4, 6), (2, 3)),
      ((-4, 6), (-2, 3)),
      ((1, 1), (1, 1)),
      ((0, 7), (0, 1)),
      ((7, 7), (1, 1)),
      ((1001, 30_000), (1001, 30_000)),
      ((30_000, 1001), (30_000, 1001)),
      ((1920 * 480, 1080 * 720), (32, 27)),
      ((.max, .max), (1, 1)),
      ((.max, 7), (1_317_624_576_693_539_401, 1)),  // 2⁶³ − 1 = 7 × …
      ((.min, 1), (.min, 1)),
      ((.min, 2), (-4_611_686_018_427_387_904, 1)),
      ((.min, .max), (.min, .max)),
      ((1, .max), (1, .max)),
    ]
  )
  func reduced(parts: (Int, Int), lowest: (Int, Int)) throws {
    let reduced = try #require(Rational(parts.0, over: parts.1)).reduced
    #expect(reduced.numerator == lowest.0)
    #expect(reduced.denominator == lowest.1)
  }

  @Test("The value is the quotient", arguments: [(1, 3, 1.0 / 3), (-1, 4, -0.25), (30_000, 1001, 30_000.0 / 1001)])
  func value(numerator: Int, denominator: Int, value: Double) {
    #expect(Rational(numerator, over: denominator)?.value == value)
  }

  @Test(
    "A fraction is encoded as text in JSON, so that no reader rounds it",
    arguments: [
      (1001, 30_000, "1001/30000"), (-1, 2, "-1/2"), (4, 6, "4/6"),
      (.min, .max, "-9223372036854775808/9223372036854775807"),
    ]
  )
  func json(numerator: Int, denominator: Int, text: String) throws {
    let rational = try #require(Rational(numerator, over: denominator))
    let line = try CanonicalJSON.line([rational])
    #expect(String(decoding: line, as: UTF8.self) == "[\"\(text)\"]")
    #expect(try CanonicalJSON.decode([Rational].self, from: line) == [rational])
  }

  @Test(
    "JSON that is not a fraction is rejected",
    arguments: [
      "\"\"", "\"1\"", "\"/\"", "\"1/\"", "\"/2\"", "\"1/0\"", "\"1/-2\"", "\"1/2/3\"", "\"1.5/2\"", "\"a/b\"",
      "\" 1/2\"",
      "\"9223372036854775808/1\"", "0.5", "null", "{}",
    ]
  )
  func nonsense(json: String) {
    #expect(throws: DecodingError.self) {
      try CanonicalJSON.decode([Rational].self, from: Array("[\(json)]".utf8))
    }
  }
}
