package import Covers
package import Files
package import SystemPackage

/// The properties that identify a clip's file and its version.
package struct ClipVersion: Hashable, Sendable {
  package let identity: FileIdentity
  package let bytes: Int
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
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - followsLinks: Whether the path may end in a symbolic link.
  package init(of path: FilePath, followsLinks: Bool) throws(CoverFailure) {
    try self.init { () throws(Errno) in try FileStatus(of: path, followsLinks: followsLinks) }
  }

  /// Reads the status of an open file.
  init(of file: FileDescriptor) throws(CoverFailure) {
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
        advice: "specify the clips in it"
      )
    case .link, .special:
      CoverFailure(
        stage: .input,
        cause: .notRegular,
        message: "not a regular file",
        advice: "save its content to a file first"
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
      message: what + error.message,
      advice: cause == .missing ? "check the name" : nil
    )
  }
}
