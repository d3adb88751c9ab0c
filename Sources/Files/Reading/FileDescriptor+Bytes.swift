package import SystemPackage

extension FileDescriptor {
  /// Returns the bytes at an offset; fewer if the file ends or cannot be read.
  package func bytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = (try? read(fromAbsoluteOffset: Int64(offset), into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
  }
}
