/// A shell pattern for paths, with the rules of gitignore(5).
///
/// `?` stands for a byte other than `/`, `*` for any number of them, and `[a-z]`, `[!a-z]` and `[[:alpha:]]`
/// for one of a set. `**/` stands for any number of folders, and `/**` for everything in a folder. `\` makes
/// the next byte literal.
struct GlobPattern: Sendable {
  private enum Part {
    case byte(UInt8)
    case anyByte
    case oneOf([Bool])
  }

  /// The pattern of a name; `nil` stands for any number of bytes.
  private typealias Name = [Part?]

  /// The patterns of the names in a path; `nil` stands for any number of folders.
  private let names: [Name?]

  /// Creates a pattern; `nil` if it can match nothing, because a bracket is not closed or a backslash ends it.
  init?(_ pattern: some Collection<UInt8>) {
    let (pattern, slash) = (Array(pattern), UInt8(ascii: "/"))
    var names: [Name?] = []
    var name: Name = []
    var position = 0
    while position < pattern.count {
      let byte = pattern[position]
      position += 1
      switch byte {
      case slash:
        names.append(name)
        name = []
      case UInt8(ascii: "\\"):
        guard position < pattern.count else { return nil }
        // A slash separates names all the same.
        guard pattern[position] != slash else { continue }
        name.append(.byte(pattern[position]))
        position += 1
      case UInt8(ascii: "?"): name.append(.anyByte)
      case UInt8(ascii: "["):
        guard let (set, end) = GlobSet.parse(pattern, from: position) else { return nil }
        name.append(.oneOf(set))
        position = end
      case UInt8(ascii: "*"):
        let end = pattern[position...].firstIndex { $0 != byte } ?? pattern.count
        if name.isEmpty, end > position, end == pattern.count || pattern[end] == slash {
          names.append(nil)
          position = end + 1
          // At the end, they also stand for a file or folder in those folders.
          if end == pattern.count { name = [nil] }
        } else {
          name.append(nil)
          position = end
        }
      default: name.append(.byte(byte))
      }
    }
    self.names = names + [name]
  }

  /// Returns whether the pattern matches a whole path.
  ///
  /// - Parameter path: The names in the path.
  func matches(_ path: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    Self.match(names, path) { name, bytes in
      Self.match(name, bytes) { part, byte in
        switch part {
        case .byte(let own): own == byte
        case .anyByte: true
        case .oneOf(let set): set[Int(byte)]
        }
      }
    }
  }

  /// Returns whether a pattern matches all items; `nil` in a pattern stands for any number of items.
  ///
  /// If the parts after such a placeholder do not match, only the last placeholder has to take another item: an earlier
  /// one would leave fewer items to it. So the time is at most the number of items times that of parts.
  private static func match<Part, Item>(
    _ pattern: [Part?],
    _ items: ArraySlice<Item>,
    _ isMatch: (Part, Item) -> Bool
  ) -> Bool {
    var (part, item) = (0, items.startIndex)
    var retry: (part: Int, item: Int)?
    while item < items.endIndex {
      if part < pattern.count {
        guard let wanted = pattern[part] else {
          part += 1
          retry = (part, item)
          continue
        }
        if isMatch(wanted, items[item]) {
          part += 1
          item += 1
          continue
        }
      }
      guard let last = retry else { return false }
      (part, item) = (last.part, last.item + 1)
      retry = (part, item)
    }
    return pattern[part...].allSatisfy { $0 == nil }
  }
}
