extension Span<UInt8> {
  /// The big-endian 32-bit number at an index.
  func bigEndian(at index: Int) -> UInt32 {
    UInt32(self[index]) << 24 | UInt32(self[index + 1]) << 16 | UInt32(self[index + 2]) << 8 | UInt32(self[index + 3])
  }

  /// The little-endian number of two to four bytes at an index.
  package func littleEndian(at index: Int, byteCount: Int) -> Int {
    var number = 0
    for offset in (0..<byteCount).reversed() { number = number << 8 | Int(self[index + offset]) }
    return number
  }

  /// Whether the bytes begin with a prefix.
  package func starts(with prefix: [UInt8]) -> Bool {
    guard count >= prefix.count else { return false }
    for index in prefix.indices where self[index] != prefix[index] { return false }
    return true
  }

  /// The index of the first occurrence of a byte in a range.
  package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// A copy of a range of the bytes.
  package func array(_ range: Range<Int>) -> [UInt8] {
    extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  /// Decodes a range of Latin-1 bytes as text.
  func latin1(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { bytes in
      bytes.allSatisfy { $0 < 0x80 }
        ? String(decoding: bytes, as: UTF8.self)
        : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
  }
}
