internal import Glibc
package import SystemPackage

/// The files below a folder, for comparison with another folder.
package struct FolderTree: Equatable, Sendable {
  /// The content of the files by their path below the folder; non-ASCII bytes of names that are not UTF-8 become `%XX`.
  package private(set) var files: [String: [UInt8]] = [:]

  /// Reads all files below a folder, including hidden ones.
  package init(below folder: FilePath) throws {
    try add(folder, prefix: "")
  }

  /// The paths, sorted.
  package var paths: [String] { files.keys.sorted() }

  /// Returns the paths of files that differ in another tree or exist in only one of the two.
  package func differences(from other: FolderTree) -> [String] {
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
