import Covers
import FoundationEssentials
import Glibc
import Testing

@Suite("Perceptual hashes")
struct PerceptualHashTests {
  @Test("A hash is written as 16 hexadecimal digits, and only those are read")
  func text() throws {
    for (bits, text) in [(0, "0000000000000000"), (0xab, "00000000000000ab"), (UInt64.max, "ffffffffffffffff")] {
      #expect(PerceptualHash(bits: UInt64(bits)).description == text)
      #expect(PerceptualHash(text) == PerceptualHash(bits: UInt64(bits)))
      #expect(try JSONDecoder().decode(PerceptualHash.self, from: Data("\"\(text)\"".utf8)).description == text)
    }
    for text in [
      "", "ab", "00000000000000AB", "+00000000000000a", "00000000000000000", "000000000000000g", "０000000000000000",
    ] {
      #expect(PerceptualHash(text) == nil)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(PerceptualHash.self, from: Data("\"\(text)\"".utf8))
      }
    }
  }

  @Test("The distance is the number of bits that differ")
  func distance() {
    let hash = PerceptualHash(bits: 0b1011)
    #expect(hash.distance(to: hash) == 0)
    #expect(hash.distance(to: PerceptualHash(bits: 0b0110)) == 3)
    #expect(hash.distance(to: PerceptualHash(bits: ~0b1011)) == 64)
  }

  /// The 64 lowest coefficients of the transform, as the formula has them.
  private static func coefficients(_ luma: [Int]) -> [Double] {
    func factor(_ place: Int, _ frequency: Int) -> Double { cos(Double((2 * place + 1) * frequency) * .pi / 64) }
    return (0..<64).map { number in
      (0..<1024).reduce(0.0) { sum, place in
        sum + Double(luma[place]) * factor(place / 32, number / 8) * factor(place % 32, number % 8)
      }
    }
  }

  @Test(
    "A bit is set if its coefficient is above the median, from the first row and the highest bit on",
    arguments: 1...20
  )
  func bits(seed: UInt64) {
    var state = seed
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    // Noise, or noise over a slope.
    let luma = (0..<1024).map { Int(next() % 1_000_000) + ($0 % 32) * (seed.isMultiple(of: 2) ? 45_000 : 0) }
    let coefficients = Self.coefficients(luma)
    let sorted = coefficients.sorted()
    let median = (sorted[31] + sorted[32]) / 2
    let hash = PerceptualHash(luma: luma)
    for (number, coefficient) in coefficients.enumerated() where abs(coefficient - median) > 10_000 {
      #expect((hash.bits >> (63 - number) & 1 == 1) == (coefficient > median), "\(number)")
    }
  }

  @Test("Of a plain picture, only the bit of its brightness is set", arguments: [1, 12_345, 2_550_000])
  func plain(luma: Int) {
    #expect(PerceptualHash(luma: Array(repeating: luma, count: 1024)).description == "8000000000000000")
    #expect(PerceptualHash(luma: Array(repeating: 0, count: 1024)).description == "0000000000000000")
  }

  @Test("The brightest picture does not overflow, whatever its pattern")
  func extremes() {
    for frequency in 0..<8 {
      let luma = (0..<1024).map { cos(Double(2 * ($0 % 32) + 1) * Double(frequency) * .pi / 64) >= 0 ? 2_550_000 : 0 }
      #expect(PerceptualHash(luma: luma).bits >> (63 - frequency) & 1 == 1)
    }
  }
}
