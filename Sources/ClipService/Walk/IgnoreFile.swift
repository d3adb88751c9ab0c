internal import Covers
internal import Files
internal import SystemPackage

/// The file in a folder that lists files and folders to pass over; see ``IgnoreRules``.
enum IgnoreFile {
  static let name = ".clipcanvasignore"
  private static let maximumBytes = 1 << 20
  private static let maximumLineBytes = 4096

  /// Returns the rules of a folder; `nil` if it has no such file.
  ///
  /// - Throws: `CoverFailure` if the file cannot be read, is too large, has too long a line, or is not a regular file. A
  ///   link is not followed.
  static func rules(in folder: FilePath) throws(CoverFailure) -> IgnoreRules? {
    let file: FileDescriptor
    do {
      let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]
      file = try FileDescriptor.open(folder.appending(name), .readOnly, options: options)
    } catch {
      switch error as? Errno {
      case .noSuchFileOrDirectory?: return nil
      case .tooManySymbolicLinkLevels?: throw refusal("is a symbolic link, which is not followed")
      case let error: throw unreadable(error ?? .ioError)
      }
    }
    defer { try? file.close() }
    let status: FileStatus
    do throws(Errno) {
      status = try FileStatus(of: file)
    } catch {
      throw unreadable(error)
    }
    guard status.kind == .regular else { throw refusal("is not a regular file") }
    guard status.bytes <= maximumBytes else { throw refusal("is larger than \(maximumBytes) bytes") }
    let content = file.bytes(at: 0, count: maximumBytes)
    guard content.count >= status.bytes else { throw unreadable(.ioError) }
    let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if let index = lines.firstIndex(where: { $0.count > maximumLineBytes }) {
      throw refusal("has more than \(maximumLineBytes) bytes in line \(index + 1)")
    }
    return IgnoreRules(content)
  }

  private static func unreadable(_ error: Errno) -> CoverFailure {
    ClipVersion.failure(for: error, what: "the list of ignored files cannot be read, so the folder is skipped: ")
  }

  private static func refusal(_ reason: String) -> CoverFailure {
    CoverFailure(
      stage: .input,
      cause: .notRegular,
      message: "the list of ignored files \(reason), so the folder is skipped"
    )
  }
}
