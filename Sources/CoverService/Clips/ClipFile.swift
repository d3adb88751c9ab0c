package import Covers
internal import Files
package import SystemPackage

/// What tells a clip's file from another, and from another version of itself.
package struct ClipVersion: Sendable {
  let identity: FileIdentity
  let bytes: Int
  /// Nanoseconds since 1970; a date before 1678 or after 2261 counts as the nearest that 64 bits hold.
  let mtimeNanoseconds: Int

  /// Whole seconds since 1970, downwards also before.
  var mtimeSeconds: Int {
    let (seconds, rest) = mtimeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// Looks at a file without opening it; anything but a regular file (a folder, a pipe, a device) is refused.
  ///
  /// - Parameter followsLinks: Whether the last name of the path may be that of a symbolic link.
  package init(of path: FilePath, followsLinks: Bool) throws(CoverFailure) {
    try self.init { () throws(Errno) in try FileStatus(of: path, followsLinks: followsLinks) }
  }

  /// That of an open file.
  fileprivate init(of file: FileDescriptor) throws(CoverFailure) {
    try self.init { () throws(Errno) in try FileStatus(of: file) }
  }

  private init(_ look: () throws(Errno) -> FileStatus) throws(CoverFailure) {
    let status: FileStatus
    do {
      status = try look()
    } catch {
      throw Self.failure(for: error)
    }
    if let refusal = Self.refusal(of: status) { throw refusal }
    identity = status.identity
    bytes = status.bytes
    let time = status.modificationTime
    mtimeNanoseconds = time.totalNanoseconds ?? (time.seconds < 0 ? .min : .max)
  }

  private static func refusal(of status: FileStatus) -> CoverFailure? {
    switch status.kind {
    case .regular where status.bytes == 0:
      CoverFailure(stage: .input, cause: .empty, message: "the file is empty (0 bytes)")
    case .regular:
      nil
    case .special(.folder):
      CoverFailure(
        stage: .input,
        cause: .isFolder,
        message: "it is a folder",
        advice: "name the clips in it, as in FOLDER/*.mp4"
      )
    case .link, .special:
      CoverFailure(
        stage: .input,
        cause: .notRegular,
        message: "it is no regular file",
        advice: "save what it gives to a file and name that"
      )
    }
  }

  /// The failure that a system's error is.
  ///
  /// - Parameter what: What it was about, in front of the system's words.
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

/// A clip's file, open for reading.
final class ClipFile: Sendable {
  let descriptor: FileDescriptor
  let version: ClipVersion

  /// Opens a regular file; anything else is refused without waiting for it.
  ///
  /// - Parameter followsLinks: Whether the last name of the path may be that of a symbolic link.
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
