/// Text measured in terminal columns.
package enum CellText {
  /// Returns the number of columns a text occupies; colour escape sequences occupy none.
  package static func width(_ text: String) -> Int {
    var width = 0
    var isEscape = false
    for scalar in text.unicodeScalars {
      if isEscape {
        isEscape = scalar != "m"
      } else if scalar == "\u{1B}" {
        isEscape = true
      } else {
        width += columns(of: scalar)
      }
    }
    return width
  }

  /// Returns a text with spaces after it until it has this many columns; a wider text is returned as it is.
  package static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }

  /// Returns a text truncated to at most this many columns; a truncated text ends with an ellipsis.
  package static func cut(_ text: String, to most: Int) -> String {
    guard width(text) > most else { return text }
    var result = ""
    var width = 1
    for character in text {
      let columns = Self.width(String(character))
      guard width + columns <= most else { break }
      result.append(character)
      width += columns
    }
    return most >= 1 ? result + "…" : ""
  }

  /// Returns the end of a text of at most this many columns; a truncated text starts with an ellipsis.
  package static func cutStart(_ text: String, to most: Int) -> String {
    guard width(text) > most else { return text }
    var rest = text[...]
    while !rest.isEmpty, width(String(rest)) + 1 > most { rest.removeFirst() }
    return most >= 1 ? "…" + rest : ""
  }

  /// Returns the lines of a text that is broken between words, or within a word that is wider than a line.
  package static func lines(of text: String, width most: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if width(longer) <= most {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = String(word)
      while width(line) > most, let end = breakingPoint(of: line, width: most) {
        lines.append(String(line[..<end]))
        line = String(line[end...])
      }
    }
    return lines + (line.isEmpty ? [] : [line])
  }

  /// Returns where a line of at most this many columns ends, after at least one character.
  private static func breakingPoint(of text: String, width most: Int) -> String.Index? {
    var used = 0
    for index in text.indices {
      used += width(String(text[index]))
      if used > most, index > text.startIndex { return index }
    }
    return nil
  }

  /// Returns a text centred in this many columns.
  package static func centred(_ text: String, in columns: Int) -> String {
    let rest = max(0, columns - width(text))
    return String(repeating: " ", count: rest / 2) + text + String(repeating: " ", count: rest - rest / 2)
  }

  /// Returns 2 for wide East Asian characters and emoji, 0 for combining marks and 1 for all others; see UAX #11.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
