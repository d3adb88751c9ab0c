import Covers
import Glibc
import TestSupport
import Testing

@Suite("Numbers with a fixed number of decimals")
struct DecimalTextTests {
  private static func printf(_ value: Double, _ places: Int) -> String {
    var text = [CChar](repeating: 0, count: 64)
    _ = withVaList([Int32(places), value]) { vsnprintf(&text, text.count, "%.*f", $0) }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test("They are those of the C library", arguments: 0...6)
  func random(places: Int) {
    var generator = SeededNumbers(seed: 5)
    for _ in 0..<5000 {
      let size = [1.0, 1e-3, 100, 1e5][Int.random(in: 0..<4, using: &generator)]
      let value = Double.random(in: 0.001...1, using: &generator) * size
      #expect(DecimalText.of(value, places: places) == Self.printf(value, places))
      // The C library writes "-0.0", which is not wanted here.
      let negative = Self.printf(-value, places)
      let isZero = negative.allSatisfy { "-0.".contains($0) }
      #expect(DecimalText.of(-value, places: places) == (isZero ? String(negative.dropFirst()) : negative))
    }
  }

  @Test(
    "Halves are rounded away from zero, and numbers without decimals are written as Swift does",
    arguments: [
      (0, 0, "0"), (0, 2, "0.00"), (2.5, 0, "3"), (-2.5, 0, "-3"), (0.125, 2, "0.13"), (1.5, 1, "1.5"),
      (-0.05, 2, "-0.05"),
      (0.0049, 2, "0.00"), (9.999, 2, "10.00"), (59.95, 1, "60.0"), (1e300, 2, "1e+300"), (.infinity, 1, "inf"),
      (.nan, 1, "nan"),
    ] as [(Double, Int, String)]
  )
  func edges(value: Double, places: Int, expected: String) {
    #expect(DecimalText.of(value, places: places) == expected)
  }

  @Test(
    "Zeros at the end are left out, down to the fewest decimal places",
    arguments: [
      (0, 0...2, "0"), (0, 1...3, "0.0"), (0.5, 1...3, "0.5"), (1.0 / 3, 1...3, "0.333"), (0.250_4, 1...3, "0.25"),
      (25, 0...2, "25"), (100, 0...2, "100"), (29.97002997, 0...2, "29.97"), (12.5, 0...2, "12.5"),
      (1.5, 2...4, "1.50"),
      (10, 0...0, "10"), (1.5e300, 0...6, "1.5e+300"), (.infinity, 0...2, "inf"),
    ] as [(Double, ClosedRange<Int>, String)]
  )
  func trimmed(value: Double, places: ClosedRange<Int>, expected: String) {
    #expect(DecimalText.of(value, places: places) == expected)
  }
}
