package import Covers
internal import Files
internal import Glibc
package import SystemPackage

/// The properties that identify a clip's file and its version.
package struct ClipVersion: Sendable {
  let identity: FileIdentity
  let bytes: Int
  /// The modification time in nanoseconds since 1970; dates before 1678 or after 2261 are clamped to 64 bits.
  let mtimeNanoseconds: Int

  /// The modification time in whole seconds since 1970, rounded down.
  var mtimeSeconds: Int {
    let (seconds, rest) = mtimeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// Reads the status of a file without opening it; throws if it is not a regular file (such as a folder, pipe or
  /// device).
  ///
  /// - Parameter followsLinks: Whether the path may end in a symbolic link.
  package init(of path: FilePath, followsLinks: Bool) throws(CoverFailure) {
    var status = stat()
    guard path.withPlatformString({ followsLinks ? stat($0, &status) : lstat($0, &status) }) == 0 else {
      throw Self.failure(for: Errno(rawValue: errno))
    }
    try self.init(status)
  }

  /// Reads the status of an open file.
  fileprivate init(of file: FileDescriptor) throws(CoverFailure) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Self.failure(for: Errno(rawValue: errno)) }
    try self.init(status)
  }

  private init(_ status: stat) throws(CoverFailure) {
    if let refusal = Self.refusal(of: status) { throw refusal }
    identity = FileIdentity(status)
    bytes = Int(status.st_size)
    mtimeNanoseconds = Self.nanoseconds(status.st_mtim)
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    let (seconds, isBeyond) = time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, isJustBeyond) = seconds.addingReportingOverflow(time.tv_nsec)
    return isBeyond || isJustBeyond ? (time.tv_sec < 0 ? .min : .max) : nanoseconds
  }

  private static func refusal(of status: stat) -> CoverFailure? {
    switch status.st_mode & S_IFMT {
    case S_IFREG where status.st_size == 0:
      CoverFailure(stage: .input, cause: .empty, message: "the file is empty (0 bytes)")
    case S_IFREG:
      nil
    case S_IFDIR:
      CoverFailure(
        stage: .input,
        cause: .isFolder,
        message: "it is a folder",
        advice: "name the clips in it, as in FOLDER/*.mp4"
      )
    default:
      CoverFailure(
        stage: .input,
        cause: .notRegular,
        message: "it is no regular file",
        advice: "save what it gives to a file and name that"
      )
    }
  }

  /// Returns the failure for a system error.
  ///
  /// - Parameter what: Text that precedes the system's error message.
  static func failure(for error: Errno, what: String = "") -> CoverFailure {
    let cause: CoverFailure.Cause
    switch error {
    case .noSuchFileOrDirectory, .notDirectory: cause = .missing
    case .permissionDenied, .notPermitted: cause = .denied
    default: cause = .inputOutput
    }
    return CoverFailure(
      stage: .input,
      cause: cause,
      code: Int(error.rawValue),
      message: what + error.words,
      advice: cause == .missing ? "check the name" : nil
    )
  }
}

/// The file of a clip, open for reading.
final class ClipFile: Sendable {
  let descriptor: FileDescriptor
  let version: ClipVersion

  /// Opens a regular file; any other kind of file is refused without blocking.
  ///
  /// - Parameter followsLinks: Whether the path may end in a symbolic link.
  init(opening path: FilePath, followsLinks: Bool = true) throws(CoverFailure) {
    let opened: FileDescriptor
    do {
      let options: FileDescriptor.OpenOptions = followsLinks ? [] : .noFollow
      opened = try FileDescriptor.open(path, .readOnly, options: options.union([.nonBlocking, .closeOnExec]))
    } catch {
      throw ClipVersion.failure(for: error as? Errno ?? .ioError)
    }
    do throws(CoverFailure) {
      version = try ClipVersion(of: opened)
    } catch {
      try? opened.close()
      throw error
    }
    descriptor = opened
  }

  deinit {
    try? descriptor.close()
  }
}
