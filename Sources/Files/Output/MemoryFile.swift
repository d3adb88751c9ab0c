internal import CLinux
internal import Glibc
package import SystemPackage

/// A file in memory that another process writes, and that cannot be changed once it is sealed.
///
/// The file has its maximum length from the start and is sealed against growing, so a process that has it open cannot
/// use more memory. It is freed when its last descriptor is closed.
///
/// If the system refuses files in memory, a file of `TemporaryFile` takes its place. Sealing then copies it, so that the
/// other process has the original open, and not this file.
package final class MemoryFile: Sendable {
  /// The descriptor, open for reading and writing.
  package let descriptor: FileDescriptor
  private let isInMemory: Bool

  /// Creates a file.
  ///
  /// - Parameter maximumBytes: The maximum length; reduced if the process may not create files of that length.
  /// - Throws: The system's error.
  package init(maximumBytes: Int) throws(Errno) {
    var limit = rlimit()
    let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    let bytes = isLimited ? min(maximumBytes, Int(clamping: limit.rlim_cur)) : maximumBytes
    let descriptor = clinux_memory_file("clipcanvas", bytes)
    if descriptor >= 0 {
      (self.descriptor, isInMemory) = (FileDescriptor(rawValue: descriptor), true)
    } else {
      guard Self.isRefusal(Errno(rawValue: errno)) else { throw Errno(rawValue: errno) }
      (self.descriptor, isInMemory) = (try Self.temporaryFile(bytes: bytes), false)
    }
  }

  /// Creates a file on disk, as if the system refused files in memory.
  init(onDisk bytes: Int) throws(Errno) { (descriptor, isInMemory) = (try Self.temporaryFile(bytes: bytes), false) }

  /// Whether an error means that the kernel lacks files in memory or that a rule forbids them.
  private static func isRefusal(_ error: Errno) -> Bool {
    [.noFunction, .notPermitted, .permissionDenied, .invalidArgument].contains(error)
  }

  /// Creates a file of a length that has no name.
  private static func temporaryFile(bytes: Int) throws(Errno) -> FileDescriptor {
    let file = try TemporaryFile.create(in: TemporaryFile.folder(usually: "/tmp"))
    guard ftruncate(file.rawValue, off_t(bytes)) == 0 else {
      let error = Errno(rawValue: errno)
      try? file.close()
      throw error
    }
    return file
  }

  deinit {
    try? descriptor.close()
  }

  /// Truncates the file to a length and prevents all further changes, by any process that has it open.
  ///
  /// - Throws: The system's error: `resourceBusy` if a process could still write through a mapping, `notPermitted` if a
  ///   process has added other seals, `invalidArgument` if the length exceeds that of the file.
  package func seal(bytes: Int) throws(Errno) {
    guard isInMemory else { return try replaceByCopy(bytes: bytes) }
    guard clinux_seal_file(descriptor.rawValue, bytes) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Replaces the file by a copy of its start that no other process has open.
  private func replaceByCopy(bytes: Int) throws(Errno) {
    let copy = try Self.temporaryFile(bytes: 0)
    defer { try? copy.close() }
    guard try descriptor.copy(0..<bytes, to: copy) else { throw .invalidArgument }
    guard clinux_replace(descriptor.rawValue, copy.rawValue) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Calls a function with the bytes of a sealed file.
  ///
  /// - Throws: The system's error if the file cannot be mapped, or the error thrown by the function.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(Errno) -> Result) throws(Errno) -> Result {
    let count = try FileStatus(of: descriptor).bytes
    guard count > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard let start = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor.rawValue, 0), start != MAP_FAILED else {
      throw Errno(rawValue: errno)
    }
    defer { munmap(start, count) }
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Writes the bytes of a sealed file to another file, at that file's current position.
  package func write(to target: FileDescriptor) throws(Errno) {
    try withBytes { bytes throws(Errno) in try target.writeEverything(bytes) }
  }
}
