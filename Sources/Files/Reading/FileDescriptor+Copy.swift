internal import CLinux
internal import Glibc
package import SystemPackage

extension FileDescriptor {
  /// Begins to write the data of this file to disk, without waiting, so that less is left to do when it is synced.
  package func beginWriteback() { clinux_begin_writeback(rawValue) }

  /// Writes all bytes at the current position.
  ///
  /// - Throws: The system's error, of a type that is known to the caller.
  package func writeEverything(_ bytes: some Sequence<UInt8>) throws(Errno) {
    do {
      try writeAll(bytes)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Writes a part of this file to another file, at that file's current position.
  ///
  /// - Returns: Whether this file has all of that part.
  package func copy(_ part: Range<Int>, to target: FileDescriptor) throws(Errno) -> Bool {
    var position = part.lowerBound
    while position < part.upperBound {
      let bytes = bytes(at: position, count: min(1 << 20, part.upperBound - position))
      guard !bytes.isEmpty else { return false }
      try target.writeEverything(bytes)
      position += bytes.count
    }
    return true
  }

  /// Writes the content of this file to another file.
  package func copyAll(to target: FileDescriptor) throws(Errno) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)
    defer { buffer.deallocate() }
    var position: Int64 = 0
    do {
      while true {
        let count = try read(fromAbsoluteOffset: position, into: buffer)
        guard count > 0 else { return }
        try target.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        position += Int64(count)
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
