internal import CDescriptors
internal import Glibc
public import SystemPackage

/// A file in memory that another process writes, and that nobody can change once it is sealed.
///
/// It has its greatest length from the start, and a seal against growing: whoever has it open cannot use more memory.
/// Closed with its last user.
public final class MemoryFile: Sendable {
  /// Open for reading and writing.
  public let descriptor: FileDescriptor

  /// Creates a file.
  ///
  /// - Parameter mostBytes: The greatest length; less where the process may not make files of that length.
  /// - Throws: The system's error.
  public init(mostBytes: Int) throws(Errno) {
    var limit = rlimit()
    let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    let bytes = isLimited ? min(mostBytes, Int(clamping: limit.rlim_cur)) : mostBytes
    let descriptor = cdescriptors_memory_file("clipcanvas", bytes)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    self.descriptor = FileDescriptor(rawValue: descriptor)
  }

  deinit {
    try? descriptor.close()
  }

  /// Cuts the file to a length and forbids every change from then on, by whoever has it open.
  ///
  /// - Throws: The system's error: `resourceBusy` where somebody could still write through a mapping, `notPermitted`
  ///   where somebody has put other seals on it, `invalidArgument` where the length is greater than the file's.
  public func seal(bytes: Int) throws(Errno) {
    guard cdescriptors_seal_file(descriptor.rawValue, bytes) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Calls a function with the bytes of a sealed file.
  ///
  /// - Throws: The system's error when the file cannot be mapped, and what the function throws.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(Errno) -> Result) throws(Errno) -> Result {
    let count = try FileStatus(of: descriptor).bytes
    guard count > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard let start = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor.rawValue, 0), start != MAP_FAILED else {
      throw Errno(rawValue: errno)
    }
    defer { munmap(start, count) }
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Writes the bytes of a sealed file to another file, from where that stands.
  public func write(to target: FileDescriptor) throws(Errno) {
    try withBytes { bytes throws(Errno) in
      do {
        try target.writeAll(bytes)
      } catch {
        throw error as? Errno ?? .ioError
      }
    }
  }
}
