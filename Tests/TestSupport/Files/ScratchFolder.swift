internal import Glibc
package import SystemPackage

/// A temporary folder for a test, removed with its content when it is released.
package final class ScratchFolder: Sendable {
  /// The start of the path of every such folder.
  static let prefix = "/tmp/clipcanvas-test-"

  /// The path of the folder.
  package let path: FilePath

  /// Creates the folder.
  package init() throws {
    var template = Array((Self.prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = FilePath(platformString: template)
  }

  deinit {
    try? Self.remove(path)
  }

  /// Returns a path in the folder.
  package func callAsFunction(_ name: String) -> FilePath { path.appending(name) }

  /// Writes a file in the folder.
  @discardableResult
  package func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> FilePath {
    let file = path.appending(name)
    try Self.write(bytes, to: file)
    return file
  }

  /// Copies a file into the folder.
  @discardableResult
  package func copy(_ source: FilePath, as name: String? = nil) throws -> FilePath {
    try write(try Self.read(source), as: name ?? source.lastComponent?.string ?? "copy")
  }

  /// Creates an empty file and opens it for reading and writing; the caller closes it.
  package func create(_ name: String) throws -> FileDescriptor {
    try FileDescriptor.open(self(name), .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
  }

  /// Copies a program into the folder so that every user can run it.
  ///
  /// Another process makes the copy: a file that this process has open for writing could not be executed while a child
  /// that another test is starting has inherited the descriptor.
  @discardableResult
  package func install(_ source: FilePath, as name: String) async throws -> FilePath {
    let result = try await Program.runTool("install", ["-m", "755", source.string, self(name).string])
    guard result.exitStatus == 0 else { throw Errno.ioError }
    return self(name)
  }

  /// Returns the sorted names in the folder, including hidden ones.
  package func names() throws -> [String] { try Self.names(in: path) }

  /// Reads all bytes of a file.
  package static func read(_ path: FilePath) throws -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      var bytes: [UInt8] = []
      var part: [UInt8] = Array(repeating: 0, count: 1 << 16)
      while true {
        let count = try part.withUnsafeMutableBytes { try file.read(into: $0) }
        guard count > 0 else { return bytes }
        bytes += part.prefix(count)
      }
    }
  }

  /// Writes a file at any path.
  package static func write(_ bytes: some Sequence<UInt8>, to path: FilePath) throws {
    let file = try FileDescriptor.open(
      path,
      .writeOnly,
      options: [.create, .truncate, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead]
    )
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }

  /// Returns the sorted names in any folder, including hidden ones.
  package static func names(in folder: FilePath) throws -> [String] {
    try entries(of: folder).map(\.string).sorted()
  }

  /// Returns the unsorted names in any folder, including names that are not UTF-8.
  package static func entries(of folder: FilePath) throws -> [FilePath] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { throw Errno(rawValue: errno) }
    defer { closedir(stream) }
    var entries: [FilePath] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath(platformString: $0) }
      }
      if name != "." && name != ".." { entries.append(name) }
    }
    return entries
  }

  /// Removes a file, or a folder with everything in it.
  package static func remove(_ path: FilePath) throws {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      _ = path.withPlatformString { chmod($0, 0o700) }
      for entry in try entries(of: path) { try remove(path.pushing(entry)) }
      _ = path.withPlatformString { rmdir($0) }
    } else {
      _ = path.withPlatformString { unlink($0) }
    }
  }
}

extension FilePath {
  /// Creates a folder in an existing folder.
  package static func makeFolder(_ path: FilePath) throws {
    guard path.withPlatformString({ mkdir($0, 0o777) }) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Creates a folder and the folders that it is in, unless they exist; another process may do so at the same time.
  package static func makeFolders(_ path: FilePath) throws {
    guard !ProjectFolder.isThere(path) else { return }
    try makeFolders(path.removingLastComponent())
    guard path.withPlatformString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
  }
}
