internal import CDescriptors
internal import Glibc
public import SystemPackage

/// A file in memory that another process writes, and that cannot be changed once it is sealed.
///
/// The file has its maximum length from the start and is sealed against growing, so a process that has it open cannot
/// use more memory. It is freed when its last descriptor is closed.
public final class MemoryFile: Sendable {
  /// The descriptor, open for reading and writing.
  public let descriptor: FileDescriptor

  /// Creates a file.
  ///
  /// - Parameter maximumBytes: The maximum length; reduced if the process may not create files of that length.
  /// - Throws: The system's error.
  public init(maximumBytes: Int) throws(Errno) {
    var limit = rlimit()
    let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    let bytes = isLimited ? min(maximumBytes, Int(clamping: limit.rlim_cur)) : maximumBytes
    let descriptor = cdescriptors_memory_file("clipcanvas", bytes)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    self.descriptor = FileDescriptor(rawValue: descriptor)
  }

  deinit {
    try? descriptor.close()
  }

  /// Truncates the file to a length and prevents all further changes, by any process that has it open.
  ///
  /// - Throws: The system's error: `resourceBusy` if a process could still write through a mapping, `notPermitted` if a
  ///   process has added other seals, `invalidArgument` if the length exceeds that of the file.
  public func seal(bytes: Int) throws(Errno) {
    guard cdescriptors_seal_file(descriptor.rawValue, bytes) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Calls a function with the bytes of a sealed file.
  ///
  /// - Throws: The system's error if the file cannot be mapped, or the error thrown by the function.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(Errno) -> Result) throws(Errno) -> Result {
    let count = try FileStatus(of: descriptor).bytes
    guard count > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard let start = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor.rawValue, 0), start != MAP_FAILED else {
      throw Errno(rawValue: errno)
    }
    defer { munmap(start, count) }
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Writes the bytes of a sealed file to another file, at that file's current position.
  public func write(to target: FileDescriptor) throws(Errno) {
    try withBytes { bytes throws(Errno) in try target.writeEverything(bytes) }
  }
}
