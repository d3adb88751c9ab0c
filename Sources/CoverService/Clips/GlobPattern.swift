/// A shell pattern for paths, with the rules of gitignore(5).
///
/// `?` stands for a byte other than `/`, `*` for any number of them, and `[a-z]`, `[!a-z]` and `[[:alpha:]]` for one of a
/// set. `**/` stands for any number of folders, and `/**` for everything in a folder. `\` makes the next byte literal.
struct GlobPattern: Sendable {
  private enum Element: Equatable {
    case byte(UInt8)
    /// One byte of a set, but never `/`.
    case oneOf([Bool])
    /// Any number of bytes other than `/`.
    case bytes
    /// Any number of whole folders, each with its `/`.
    case folders
    /// Everything.
    case all
  }

  private static let slash = UInt8(ascii: "/")
  private let elements: [Element]

  /// Creates a pattern; `nil` if it can match nothing, because a bracket is not closed or a backslash ends it.
  init?(_ pattern: some Collection<UInt8>) {
    let pattern = Array(pattern)
    var elements: [Element] = []
    var position = 0
    while position < pattern.count {
      let byte = pattern[position]
      switch byte {
      case UInt8(ascii: "\\"):
        guard position + 1 < pattern.count else { return nil }
        elements.append(.byte(pattern[position + 1]))
        position += 2
      case UInt8(ascii: "?"):
        elements.append(.oneOf(Array(repeating: true, count: 256)))
        position += 1
      case UInt8(ascii: "["):
        guard let (set, end) = GlobSet.parse(pattern, from: position + 1) else { return nil }
        elements.append(.oneOf(set))
        position = end
      case UInt8(ascii: "*"):
        let end = pattern[position...].firstIndex { $0 != byte } ?? pattern.count
        let startsFolder = position == 0 || pattern[position - 1] == Self.slash
        if end - position >= 2, startsFolder, end == pattern.count {
          elements.append(.all)
          position = end
        } else if end - position >= 2, startsFolder, pattern[end] == Self.slash {
          elements.append(.folders)
          position = end + 1
        } else {
          elements.append(.bytes)
          position = end
        }
      default:
        elements.append(.byte(byte))
        position += 1
      }
    }
    self.elements = elements
  }

  /// Returns whether the pattern matches a whole path, which does not begin or end with `/`.
  func matches(_ path: some Collection<UInt8>) -> Bool {
    // The elements that may come next, after each byte. Nothing is tried twice, so the time is bounded.
    var states = closure(of: [0], startsFolder: true)
    for byte in path {
      var next: Set<Int> = []
      for state in states where state < elements.count {
        switch elements[state] {
        case .byte(let wanted): if wanted == byte { next.insert(state + 1) }
        case .oneOf(let set): if byte != Self.slash, set[Int(byte)] { next.insert(state + 1) }
        case .bytes: if byte != Self.slash { next.insert(state) }
        case .folders, .all: next.insert(state)
        }
      }
      states = closure(of: next, startsFolder: byte == Self.slash)
      if states.isEmpty { return false }
    }
    return states.contains(elements.count)
  }

  /// Adds the elements after those that may stand for nothing.
  ///
  /// - Parameter startsFolder: Whether the next byte is the first of a file or folder name.
  private func closure(of states: Set<Int>, startsFolder: Bool) -> Set<Int> {
    var all = states
    for var state in states {
      while state < elements.count, mayBeEmpty(elements[state], startsFolder: startsFolder) {
        state += 1
        all.insert(state)
      }
    }
    return all
  }

  private func mayBeEmpty(_ element: Element, startsFolder: Bool) -> Bool {
    switch element {
    case .byte, .oneOf: false
    case .bytes, .all: true
    case .folders: startsFolder
    }
  }
}
