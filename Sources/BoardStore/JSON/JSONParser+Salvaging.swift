internal import Glibc

// Going on after an error, in damaged text.

extension JSONParser {
  /// Skips to the next item of a list after an error, or past the end of the list; returns whether there is an item.
  mutating func goOn(after start: Int, endingWith end: Unicode.Scalar) -> Bool {
    var start = start
    // What exceeds the bounds of a document is not read.
    while count < JSON.maximumValues, let (indentation, first) = nextLine(after: start) {
      (position, start) = (first, first)
      if indentation == 2 * depth, bytes[first] != UInt8(ascii: "}"), bytes[first] != UInt8(ascii: "]") {
        hasFailed = false
        return true
      }
      if indentation < 2 * depth {
        if indentation == 2 * (depth - 1), take(end) { hasFailed = false }
        return false
      }
    }
    position = bytes.count
    return false
  }

  /// Returns the indentation and the first character of the next line that has one, which may be the line at hand if
  /// nothing of it was read.
  private func nextLine(after start: Int) -> (indentation: Int, first: Int)? {
    var line = min(position, bytes.count)
    while line > 0, bytes[line - 1] == UInt8(ascii: " ") { line -= 1 }
    var next: Int? = line == 0 || bytes[line - 1] == UInt8(ascii: "\n") ? line : lineBreak(from: line).map { $0 + 1 }
    while let line = next {
      var first = line
      while first < bytes.count, bytes[first] == UInt8(ascii: " ") { first += 1 }
      if first < bytes.count, first > start, bytes[first] != UInt8(ascii: "\n") { return (first - line, first) }
      next = lineBreak(from: first).map { $0 + 1 }
    }
    return nil
  }

  /// Returns the place of the next line break, which may be far away.
  private func lineBreak(from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
