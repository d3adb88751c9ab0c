/// A raw H.264 stream of 64 × 64 pixels at 25 frames per second, whose frames are stored as two fields each.
///
/// No installed encoder writes such streams. All macroblocks are stored without compression.
enum FieldPictures {
  /// Bits of a NAL unit.
  private struct Bits {
    var bits: [UInt8] = []

    mutating func append(_ value: Int, _ count: Int) {
      for shift in (0..<count).reversed() { bits.append(UInt8(value >> shift & 1)) }
    }

    /// Appends numbers in Exp-Golomb code.
    mutating func append(codes: [Int]) {
      for code in codes {
        let length = Int.bitWidth - (code + 1).leadingZeroBitCount
        append(code + 1, 2 * length - 1)
      }
    }

    mutating func align() { while bits.count % 8 != 0 { bits.append(0) } }

    /// The NAL unit with a start code, and with bytes that prevent others.
    func unit(_ header: UInt8) -> [UInt8] {
      var ended = self
      ended.append(1, 1)
      ended.align()
      var unit: [UInt8] = [0, 0, 0, 1, header]
      for start in stride(from: 0, to: ended.bits.count, by: 8) {
        let byte = ended.bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
        if byte <= 3, unit.suffix(2) == [0, 0], unit.count > 5 { unit.append(3) }
        unit.append(byte)
      }
      return unit
    }
  }

  private static var parameters: [UInt8] {
    var sequence = Bits()
    for byte in [77, 0, 30] { sequence.append(byte, 8) }
    sequence.append(codes: [0, 0, 0, 0, 1])
    sequence.append(0, 1)
    // Four columns of macroblocks, two rows in each field.
    sequence.append(codes: [3, 1])
    // Not only frames, not adaptive; direct_8x8_inference; no crop; with timing.
    for bit in [0, 0, 1, 0, 1, 0, 0, 0, 0, 1] { sequence.append(bit, 1) }
    sequence.append(1, 32)
    sequence.append(50, 32)
    for bit in [1, 0, 0, 0, 0] { sequence.append(bit, 1) }
    var picture = Bits()
    picture.append(codes: [0, 0])
    picture.append(0, 2)
    picture.append(codes: [0, 0, 0])
    picture.append(0, 3)
    picture.append(codes: [0, 0, 0])
    picture.append(0, 3)
    return sequence.unit(0x67) + picture.unit(0x68)
  }

  private static func field(_ number: Int, isBottom: Bool) -> [UInt8] {
    var slice = Bits()
    slice.append(codes: [0, 7, 0])
    slice.append(0, 4)
    slice.append(1, 1)
    slice.append(isBottom ? 1 : 0, 1)
    if !isBottom { slice.append(codes: [number % 2]) }
    slice.append(isBottom ? 1 : 0, 4)
    slice.append(0, isBottom ? 1 : 2)
    slice.append(codes: [0])
    for _ in 0..<8 {
      slice.append(codes: [25])
      slice.align()
      for sample in 0..<384 { slice.append(sample < 256 ? 40 + 8 * number + (isBottom ? 60 : 0) : 128, 8) }
    }
    return slice.unit(isBottom ? 0x61 : 0x65)
  }

  /// The frames, each with its parameter sets and both fields.
  static func frames(_ count: Int) -> [[UInt8]] {
    (0..<count).map { parameters + field($0, isBottom: false) + field($0, isBottom: true) }
  }
}
