/// Returns a number as files store it, the most significant byte first.
package func bigEndian(_ number: Int, bytes: Int = 4) -> [UInt8] {
  (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}

/// Returns a number as files store it, the least significant byte first.
package func littleEndian(_ number: Int, bytes: Int = 4) -> [UInt8] {
  bigEndian(number, bytes: bytes).reversed()
}

extension BidirectionalCollection<UInt8> {
  /// The number that the bytes are, the most significant one first.
  package var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }

  /// The number that the bytes are, the least significant one first.
  package var littleEndian: Int { reversed().bigEndian }
}
