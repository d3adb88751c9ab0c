internal import Glibc
public import SystemPackage

/// Everything below a folder, to be compared with another.
public struct FolderTree: Equatable, Sendable {
  /// Files by their path below the folder, whose bytes that are no UTF-8 are shown as `%XX`.
  public private(set) var files: [String: [UInt8]] = [:]

  /// Reads all files below a folder, hidden ones too.
  public init(below folder: FilePath) throws {
    try add(folder, prefix: "")
  }

  /// The paths, sorted.
  public var paths: [String] { files.keys.sorted() }

  /// The paths whose files are not the same in another tree, or are in one of both only.
  public func differences(from other: FolderTree) -> [String] {
    Set(files.keys).union(other.files.keys).filter { files[$0] != other.files[$0] }.sorted()
  }

  private mutating func add(_ folder: FilePath, prefix: String) throws {
    for entry in try ScratchFolder.entries(of: folder) {
      let path = folder.pushing(entry)
      let name = prefix + Self.text(entry)
      var status = stat()
      guard path.withPlatformString({ lstat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try add(path, prefix: name + "/")
      case S_IFREG: files[name] = try ScratchFolder.read(path)
      default: files[name] = []
      }
    }
  }

  private static func text(_ name: FilePath) -> String {
    name.withPlatformString { start in
      if let text = String(validatingCString: start) { return text }
      return UnsafeBufferPointer(start: start, count: strlen(start)).map { byte in
        let byte = UInt8(bitPattern: byte)
        return byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
      }.joined()
    }
  }
}
