/// The part of a file that a request asks for (RFC 9110, section 14).
enum ByteRange {
  /// Returns the first range of a `Range` header within a file; `nil` if the header cannot be fulfilled.
  static func first(of header: String, in size: Int) -> Range<Int>? {
    guard header.hasPrefix("bytes="), let first = header.dropFirst("bytes=".count).split(separator: ",").first else {
      return nil
    }
    let parts = first.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[0].isEmpty {
      guard let count = number(parts[1]), count > 0, size > 0 else { return nil }
      return max(0, size - count)..<size
    }
    guard let start = number(parts[0]), start < size else { return nil }
    guard !parts[1].isEmpty else { return start..<size }
    guard let last = number(parts[1]), last >= start else { return nil }
    return start..<min(size, last.addingReportingOverflow(1).partialValue > last ? last + 1 : size)
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}
