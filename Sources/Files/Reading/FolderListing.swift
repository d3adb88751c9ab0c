internal import Glibc
package import SystemPackage

/// The names in a folder that are relevant for a walk, sorted by their bytes.
///
/// All names are stored in one array, because a folder can contain a hundred thousand.
package struct FolderListing {
  package enum Kind: UInt8 {
    case folder, link, other
  }

  private struct Entry {
    let start: Int
    let length: UInt16
    let kind: Kind
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  package var count: Int { entries.count }

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - includesHidden: Whether to include a name that starts with a dot; `.` and `..` are never included.
  ///   - isWanted: Whether a file is included, by name; folders and links always are.
  package init(
    of folder: FilePath,
    includesHidden: (ArraySlice<UInt8>, Kind) -> Bool = { _, _ in false },
    isWanted: (ArraySlice<UInt8>) -> Bool
  ) throws(Errno) {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { throw Errno(rawValue: errno) }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        break
      }
      add(entry, of: stream, includesHidden: includesHidden, isWanted: isWanted)
    }
    sort()
  }

  /// Reads all names of a folder, also hidden ones.
  package init(all folder: FilePath) throws(Errno) {
    try self.init(of: folder, includesHidden: { _, _ in true }, isWanted: { _ in true })
  }

  /// The bytes of a name and the kind of its entry.
  package subscript(index: Int) -> (name: ArraySlice<UInt8>, kind: Kind) {
    (name(of: entries[index]), entries[index].kind)
  }

  private func name(of entry: Entry) -> ArraySlice<UInt8> {
    bytes[entry.start..<entry.start + Int(entry.length)]
  }

  private mutating func add(
    _ entry: UnsafeMutablePointer<dirent>,
    of stream: OpaquePointer,
    includesHidden: (ArraySlice<UInt8>, Kind) -> Bool,
    isWanted: (ArraySlice<UInt8>) -> Bool
  ) {
    let start = bytes.count
    withUnsafeBytes(of: &entry.pointee.d_name) { name in
      bytes.append(contentsOf: name.prefix { $0 != 0 })
    }
    let name = bytes[start...]
    let kind = Self.kind(of: entry, in: stream)
    guard !Self.isHidden(name) || (!Self.isOwn(name) && includesHidden(name, kind)), kind != .other || isWanted(name)
    else {
      bytes.removeSubrange(start...)
      return
    }
    entries.append(Entry(start: start, length: UInt16(bytes.count - start), kind: kind))
  }

  /// Whether a name starts with a dot.
  package static func isHidden(_ name: ArraySlice<UInt8>) -> Bool { name.first == UInt8(ascii: ".") }

  /// Whether a name is `.` or `..`.
  private static func isOwn(_ name: ArraySlice<UInt8>) -> Bool { name.count <= 2 && name.allSatisfy { $0 == 0x2E } }

  private static func kind(of entry: UnsafeMutablePointer<dirent>, in stream: OpaquePointer) -> Kind {
    switch Int(entry.pointee.d_type) {
    case DT_DIR: return .folder
    case DT_LNK: return .link
    case DT_UNKNOWN:
      // Some file systems do not report the kind with the name.
      let status = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          try? FileStatus(ofName: $0, in: dirfd(stream))
        }
      }
      return status?.isFolder ?? false ? .folder : status?.kind == .link ? .link : .other
    default: return .other
    }
  }

  private mutating func sort() {
    var entries = entries
    bytes.withUnsafeBytes { bytes in
      guard let names = bytes.baseAddress else { return }
      entries.sort { one, other in
        let common = min(Int(one.length), Int(other.length))
        let order = memcmp(names + one.start, names + other.start, common)
        return order == 0 ? one.length < other.length : order < 0
      }
    }
    self.entries = entries
  }
}
