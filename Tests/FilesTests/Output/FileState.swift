import Files
import Glibc
import SystemPackage
import TestSupport

/// The properties of a file other than its name.
struct FileState: Hashable {
  let device: UInt
  let number: UInt
  let owner: UInt32
  let group: UInt32
  let mode: UInt32
  let modified: [Int]
  let bytes: [UInt8]

  /// Reads the properties of the file at a path, following links.
  init(_ path: FilePath) throws {
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    try file.close()
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
    (owner, group) = (status.st_uid, status.st_gid)
    mode = UInt32(status.st_mode & 0o7777)
    modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    bytes = try ScratchFolder.read(path)
  }

  /// The bytes of the file as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension ScratchFolder {
  /// Writes a file with the given mode.
  func write(_ text: String, as name: String, mode: UInt32) throws {
    let path = try write(text.utf8, as: name)
    guard path.withPlatformString({ chmod($0, mode) }) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Creates a symbolic link.
  func link(_ name: String, to target: FilePath) throws {
    let failed = self(name).withPlatformString { name in target.withPlatformString { symlink($0, name) } }
    guard failed == 0 else { throw Errno(rawValue: errno) }
  }

  /// Creates a folder.
  func makeFolder(_ name: String, mode: UInt32 = 0o755) throws {
    guard self(name).withPlatformString({ mkdir($0, mode) }) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Whether a name refers to a symbolic link.
  func isLink(_ name: String) -> Bool {
    var status = stat()
    return self(name).withPlatformString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}

/// Replaces the content of a file with text.
func replace(_ path: FilePath, by text: String) throws {
  let file = try ReplacementFile(for: path)
  try file.descriptor.writeAll(text.utf8)
  try file.commit()
}
