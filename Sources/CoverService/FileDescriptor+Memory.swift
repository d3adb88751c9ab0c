internal import CDescriptors
internal import Glibc
internal import SystemPackage

extension FileDescriptor {
  /// A file in memory, gone when it is closed.
  static func memory(named name: String) throws(Errno) -> FileDescriptor {
    let descriptor = cdescriptors_memory_file(name)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: descriptor)
  }

  /// Writes everything in this file to another.
  func copyAll(to target: FileDescriptor) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)
    defer { buffer.deallocate() }
    var position: Int64 = 0
    while true {
      let count = try read(fromAbsoluteOffset: position, into: buffer)
      guard count > 0 else { return }
      try target.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      position += Int64(count)
    }
  }
}
