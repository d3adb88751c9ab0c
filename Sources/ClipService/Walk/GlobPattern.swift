/// A shell pattern for paths, with the rules of gitignore(5).
///
/// `?` stands for a byte other than `/`, `*` for any number of them, and `[a-z]`, `[!a-z]` and `[[:alpha:]]`
/// for one of a set. `**/` stands for any number of folders, and `/**` for everything in a folder. `\` makes
/// the next byte literal.
///
/// A path is matched by a nondeterministic automaton whose states are the bits of a few words: bit n is set if element
/// n of the pattern may come next. No element is tried twice for a byte of the path, so the time is at most the length
/// of the path times that of the pattern, divided by 64, whatever the pattern is.
struct GlobPattern: Sendable {
  private enum Element: Equatable {
    case byte(UInt8)
    /// Any byte other than `/`.
    case anyByte
    /// One byte of a set, but never `/`.
    case oneOf([Bool])
    /// Any number of bytes other than `/`.
    case bytes
    /// Any number of whole folders, each with its `/`.
    case folders
    /// Everything.
    case all
  }

  /// The places in `masks`, in words per mask, of the masks that are not for one byte.
  private enum Mask: Int, CaseIterable {
    case anyByte, bytes, folders, all
  }

  private static let slash = UInt8(ascii: "/")

  /// The number of elements, which is the number of the bit of a complete match.
  private let count: Int
  /// The number of words in a mask.
  private let width: Int
  /// The bytes that have a mask.
  private let bytes: [UInt8]
  /// The masks of elements: those of ``Mask``, and for each of `bytes` those that stand for this byte.
  private let masks: [UInt64]

  /// Creates a pattern; `nil` if it can match nothing, because a bracket is not closed or a backslash ends it.
  init?(_ pattern: some Collection<UInt8>) {
    guard let elements = Self.elements(of: Array(pattern)) else { return nil }
    let width = elements.count / UInt64.bitWidth + 1
    var bytes: [UInt8] = []
    var indices: [Int?] = Array(repeating: nil, count: 256)
    var masks = Array(repeating: UInt64(0), count: Mask.allCases.count * width)
    func add(_ element: Int, to mask: Int) {
      masks[mask * width + element / UInt64.bitWidth] |= 1 << UInt64(element % UInt64.bitWidth)
    }
    func add(_ element: Int, for byte: UInt8) {
      let index = indices[Int(byte)] ?? bytes.count
      if index == bytes.count {
        indices[Int(byte)] = index
        bytes.append(byte)
        masks += Array(repeating: 0, count: width)
      }
      add(element, to: Mask.allCases.count + index)
    }
    for (index, element) in elements.enumerated() {
      switch element {
      case .byte(let byte): add(index, for: byte)
      case .anyByte: add(index, to: Mask.anyByte.rawValue)
      case .oneOf(let set):
        for byte in UInt8.min...UInt8.max where set[Int(byte)] && byte != Self.slash { add(index, for: byte) }
      case .bytes: add(index, to: Mask.bytes.rawValue)
      case .folders: add(index, to: Mask.folders.rawValue)
      case .all: add(index, to: Mask.all.rawValue)
      }
    }
    (count, self.width, self.bytes, self.masks) = (elements.count, width, bytes, masks)
  }

  private static func elements(of pattern: [UInt8]) -> [Element]? {
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
        elements.append(.anyByte)
        position += 1
      case UInt8(ascii: "["):
        guard let (set, end) = GlobSet.parse(pattern, from: position + 1) else { return nil }
        elements.append(.oneOf(set))
        position = end
      case UInt8(ascii: "*"):
        let end = pattern[position...].firstIndex { $0 != byte } ?? pattern.count
        let startsFolder = position == 0 || pattern[position - 1] == slash
        if end - position >= 2, startsFolder, end == pattern.count {
          elements.append(.all)
          position = end
        } else if end - position >= 2, startsFolder, pattern[end] == slash {
          // Any number of folders after any number of folders is the same as once.
          if elements.last != .folders { elements.append(.folders) }
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
    return elements
  }

  /// Returns whether the pattern matches a whole path, which does not begin or end with `/`.
  func matches(_ path: some Collection<UInt8>) -> Bool {
    var states = Array(repeating: UInt64(0), count: width)
    states[0] = 1
    masks.withUnsafeBufferPointer { masks in
      states.withUnsafeMutableBufferPointer { states in
        skipEmpty(&states, masks, startsFolder: true)
        for byte in path where !take(byte, &states, masks) { break }
      }
    }
    return states[count / UInt64.bitWidth] >> UInt64(count % UInt64.bitWidth) & 1 == 1
  }

  /// Goes on from all states by a byte; returns whether any state is left.
  private func take(
    _ byte: UInt8,
    _ states: inout UnsafeMutableBufferPointer<UInt64>,
    _ masks: UnsafeBufferPointer<UInt64>
  ) -> Bool {
    let isSlash = byte == Self.slash
    let own = bytes.firstIndex(of: byte).map { (Mask.allCases.count + $0) * width }
    var carry: UInt64 = 0
    for word in 0..<width {
      func mask(_ mask: Mask) -> UInt64 { masks[mask.rawValue * width + word] }
      let state = states[word]
      let taken = state & ((own.map { masks[$0 + word] } ?? 0) | (isSlash ? 0 : mask(.anyByte)))
      let kept = state & (mask(.folders) | mask(.all) | (isSlash ? 0 : mask(.bytes)))
      states[word] = kept | taken << 1 | carry
      carry = taken >> 63
    }
    skipEmpty(&states, masks, startsFolder: isSlash)
    return states.contains { $0 != 0 }
  }

  /// Adds the elements after those that may stand for nothing.
  ///
  /// At most two such elements follow each other: `**/` and `*` or `**`.
  ///
  /// - Parameter startsFolder: Whether the next byte is the first of a file or folder name.
  private func skipEmpty(
    _ states: inout UnsafeMutableBufferPointer<UInt64>,
    _ masks: UnsafeBufferPointer<UInt64>,
    startsFolder: Bool
  ) {
    for _ in 0..<2 {
      var carry: UInt64 = 0
      for word in 0..<width {
        func mask(_ mask: Mask) -> UInt64 { masks[mask.rawValue * width + word] }
        let empty = states[word] & (mask(.bytes) | mask(.all) | (startsFolder ? mask(.folders) : 0))
        states[word] |= empty << 1 | carry
        carry = empty >> 63
      }
    }
  }
}
