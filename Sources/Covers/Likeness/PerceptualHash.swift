/// A number of 64 bits that differs in few bits between pictures that look alike, whatever their size and compression.
///
/// It is the usual hash by a discrete cosine transform ("pHash"), as the Python package ImageHash defines it: the luma of
/// the picture is reduced to 32×32 values and transformed (DCT-II). A bit is set if its coefficient is greater than the
/// median of the 64 lowest ones, and the bits are in the order of the rows, the first one on the left. Only the reduction
/// differs: each value is the mean luma of its cell.
package struct PerceptualHash: Hashable, Sendable {
  /// The bits; the first one is the most significant.
  package let bits: UInt64

  /// The number of luma values in a row and in a column.
  package static let side = 32
  /// The number of the lowest frequencies that are used of each direction.
  private static let frequencies = 8

  /// Creates a hash from its bits.
  package init(bits: UInt64) { self.bits = bits }

  /// Creates the hash of a picture.
  ///
  /// All numbers are integers, so a plain picture has no noise that would decide its bits, and the hash is the same on
  /// every machine.
  ///
  /// - Parameter luma: The mean luma of 32×32 cells, row by row, in units of 1/10000 of a code value from 0 to 255.
  package init(luma: [Int]) {
    let (side, count) = (Self.side, Self.frequencies)
    precondition(luma.count == side * side)
    var rows = [Int](repeating: 0, count: count * side)
    for y in 0..<side {
      for u in 0..<count {
        var sum = 0
        for x in 0..<side { sum += luma[y * side + x] * Self.cosines[u * side + x] }
        rows[u * side + y] = sum
      }
    }
    var coefficients: [Int] = []
    for v in 0..<count {
      for u in 0..<count {
        var sum = 0
        for y in 0..<side { sum += rows[u * side + y] * Self.cosines[v * side + y] }
        coefficients.append(sum)
      }
    }
    let sorted = coefficients.sorted()
    // The median is the mean of the two numbers in the middle.
    let twiceMedian = sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]
    bits = coefficients.reduce(0) { $0 << 1 | (2 * $1 > twiceMedian ? 1 : 0) }
  }

  /// The factors of the transform, in units of 2⁻¹⁵: `cos((2x + 1)uπ/64)` for each frequency u and place x.
  ///
  /// The sum of 32×32 products of the largest luma with two factors is below 2⁶². The cosines are computed by a
  /// recurrence, because those of the system's library may differ.
  private static let cosines: [Int] = {
    let step = 0.998_795_456_205_172_392_71
    var ofCircle = [1, step]
    while ofCircle.count < 4 * side {
      ofCircle.append(2 * step * ofCircle[ofCircle.count - 1] - ofCircle[ofCircle.count - 2])
    }
    return (0..<frequencies).flatMap { u in
      (0..<side).map { x in Int((ofCircle[(2 * x + 1) * u % (4 * side)] * 32_768).rounded()) }
    }
  }()

  /// Returns the number of bits that differ, from 0 to 64.
  package func distance(to other: PerceptualHash) -> Int { (bits ^ other.bits).nonzeroBitCount }
}

extension PerceptualHash: LosslessStringConvertible {
  /// The hash as 16 lower-case hexadecimal digits.
  package var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Reads a hash written by ``description``.
  package init?(_ text: String) {
    let isHexadecimal = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    guard text.utf8.count == 16, isHexadecimal, let bits = UInt64(text, radix: 16) else { return nil }
    self.init(bits: bits)
  }
}

extension PerceptualHash: Codable {
  /// Decodes the text of a hash.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let hash = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not 16 hexadecimal digits")
    }
    self = hash
  }

  /// Writes the hash as text.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
