/// A set of bytes in brackets, as part of a ``GlobPattern``.
enum GlobSet {
  /// Parses a set.
  ///
  /// - Parameters:
  ///   - pattern: The whole pattern.
  ///   - start: The position after the opening bracket.
  /// - Returns: Whether each byte is in the set, and the position after the closing bracket; `nil` if the set is not
  ///   closed or names an unknown class.
  static func parse(_ pattern: [UInt8], from start: Int) -> (set: [Bool], end: Int)? {
    var set = Array(repeating: false, count: 256)
    var position = start
    let isNegated = pattern.indices.contains(position) && "!^".utf8.contains(pattern[position])
    if isNegated { position += 1 }
    let first = position
    while pattern.indices.contains(position) {
      // A bracket at the start is part of the set.
      if pattern[position] == UInt8(ascii: "]"), position > first {
        return (isNegated ? set.map { !$0 } : set, position + 1)
      }
      if pattern[position...].starts(with: Array("[:".utf8)) {
        guard let (name, end) = className(pattern, from: position + 2), let contains = classes[name] else { return nil }
        for byte in UInt8.min...UInt8.max where contains(byte) { set[Int(byte)] = true }
        position = end
      } else {
        guard let (low, next) = literal(pattern, at: position) else { return nil }
        position = next
        var high = low
        if pattern.indices.contains(position + 1), pattern[position] == UInt8(ascii: "-"),
          pattern[position + 1] != UInt8(ascii: "]")
        {
          guard let (last, next) = literal(pattern, at: position + 1) else { return nil }
          (high, position) = (last, next)
        }
        if low <= high { for byte in low...high { set[Int(byte)] = true } }
      }
    }
    return nil
  }

  private static func literal(_ pattern: [UInt8], at position: Int) -> (byte: UInt8, next: Int)? {
    guard pattern[position] == UInt8(ascii: "\\") else { return (pattern[position], position + 1) }
    guard pattern.indices.contains(position + 1) else { return nil }
    return (pattern[position + 1], position + 2)
  }

  /// Returns the name of a class such as `alpha`, and the position after its `:]`.
  private static func className(_ pattern: [UInt8], from start: Int) -> (name: String, end: Int)? {
    guard let colon = pattern[start...].firstIndex(of: UInt8(ascii: ":")),
      pattern.indices.contains(colon + 1), pattern[colon + 1] == UInt8(ascii: "]")
    else { return nil }
    return (String(decoding: pattern[start..<colon], as: UTF8.self), colon + 2)
  }

  private static func isIn(_ byte: UInt8, _ ranges: ClosedRange<Character>...) -> Bool {
    ranges.contains { $0.contains(Character(UnicodeScalar(byte))) } && byte < 0x80
  }

  /// The classes of POSIX, for ASCII.
  private static let classes: [String: @Sendable (UInt8) -> Bool] = [
    "alnum": { isIn($0, "a"..."z", "A"..."Z", "0"..."9") },
    "alpha": { isIn($0, "a"..."z", "A"..."Z") },
    "blank": { $0 == 0x20 || $0 == 0x09 },
    "cntrl": { $0 < 0x20 || $0 == 0x7F },
    "digit": { isIn($0, "0"..."9") },
    "graph": { (0x21...0x7E).contains($0) },
    "lower": { isIn($0, "a"..."z") },
    "print": { (0x20...0x7E).contains($0) },
    "punct": { isIn($0, "!"..."/", ":"..."@", "["..."`", "{"..."~") },
    "space": { $0 == 0x20 || (0x09...0x0D).contains($0) },
    "upper": { isIn($0, "A"..."Z") },
    "xdigit": { isIn($0, "0"..."9", "a"..."f", "A"..."F") },
  ]
}
