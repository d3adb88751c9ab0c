/// What a `Range` header asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// A part of the file.
  case part(Range<Int>)
  /// Nothing that the file has.
  case unsatisfiable
  /// Another unit than bytes, which is ignored.
  case foreign

  /// Parses a header for a file of a size; of several ranges, only the first counts.
  init(_ header: String, in size: Int) {
    let parts = header.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else {
      self = .foreign
      return
    }
    self = Self.first(of: parts[1], in: size).map { .part($0) } ?? .unsatisfiable
  }

  private static func first(of list: Substring, in size: Int) -> Range<Int>? {
    let parts = list.split(separator: ",").first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2 else { return nil }
    if parts[0].isEmpty {
      guard let count = number(parts[1]), count > 0, size > 0 else { return nil }
      return max(0, size - count)..<size
    }
    guard let start = number(parts[0]), start < size else { return nil }
    guard !parts[1].isEmpty else { return start..<size }
    guard let last = number(parts[1]), last >= start else { return nil }
    return start..<(last < size ? last + 1 : size)
  }

  /// Returns a number, which is the largest one if it is beyond that.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
  }
}
