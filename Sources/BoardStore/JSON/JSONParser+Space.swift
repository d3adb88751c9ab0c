// Punctuation and space, and whether they stand as they would be written.

extension JSONParser {
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Takes the comma after an element, or the space before the end of the list.
  mutating func takeSeparator() -> Bool {
    let start = position
    skipSpace()
    if take(",") {
      isCanonical = isCanonical && position == start + 1
      return true
    }
    isCanonical = isCanonical && isLine(start..<position, depth: depth - 1)
    return false
  }

  /// Takes the end of an empty list.
  mutating func takeEmptyEnd(_ end: Unicode.Scalar) -> Bool {
    let start = position
    skipSpace()
    guard take(end) else {
      position = start
      return false
    }
    isCanonical = isCanonical && position == start + 1
    return true
  }

  /// The space that would be written at a place.
  enum Space {
    case none, one, line
  }

  /// Skips any space.
  mutating func skip(_ expected: Space) {
    let start = position
    skipSpace()
    switch expected {
    case .none: isCanonical = isCanonical && position == start
    case .one: isCanonical = isCanonical && position == start + 1 && bytes[start] == UInt8(ascii: " ")
    case .line: isCanonical = isCanonical && isLine(start..<position, depth: depth)
    }
  }

  /// Whether there is a line break and the indentation of a nesting depth.
  private func isLine(_ place: Range<Int>, depth: Int) -> Bool {
    place.count == 1 + 2 * depth && bytes[place.lowerBound] == UInt8(ascii: "\n")
      && bytes[place].dropFirst().allSatisfy { $0 == UInt8(ascii: " ") }
  }

  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }
}
