internal import CLinux
package import SystemPackage

extension FileDescriptor {
  /// Returns the SHA-256 digest of parts of this file, one after another.
  ///
  /// - Parameters:
  ///   - parts: The parts.
  ///   - isStopped: Returns whether to stop, which is called for every mebibyte.
  /// - Returns: The 32 bytes of the digest; `nil` if it was stopped, or if the file ends before a part does.
  /// - Throws: The system's error.
  package func digest(of parts: [Range<Int>], isStopped: () -> Bool = { false }) throws(Errno) -> [UInt8]? {
    var context = SHA2_CTX()
    SHA256Init(&context)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
    defer { buffer.deallocate() }
    for part in parts {
      var position = part.lowerBound
      while position < part.upperBound {
        guard !isStopped() else { return nil }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(part.upperBound - position))
        let count: Int
        do {
          count = try read(fromAbsoluteOffset: Int64(position), into: room)
        } catch {
          throw error as? Errno ?? .ioError
        }
        guard count > 0 else { return nil }
        SHA256Update(&context, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
        position += count
      }
    }
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256Final(&digest, &context)
    return digest
  }
}
