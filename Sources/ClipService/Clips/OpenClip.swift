package import Covers
internal import Files
package import SystemPackage

/// The file of a clip, open for reading.
package final class OpenClip: Sendable {
  package let descriptor: FileDescriptor
  package let version: ClipVersion
  /// The file that the clip was copied from; `nil` if the clip is a whole file.
  private let source: OpenClip?

  /// Opens a regular file; any other kind of file is refused without blocking.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - followsLinks: Whether the path may end in a symbolic link.
  package convenience init(opening path: FilePath, followsLinks: Bool = true) throws(CoverFailure) {
    let opened: FileDescriptor
    do {
      let options: FileDescriptor.OpenOptions = followsLinks ? [] : .noFollow
      opened = try FileDescriptor.open(path, .readOnly, options: options.union([.nonBlocking, .closeOnExec]))
    } catch {
      throw ClipVersion.failure(for: error as? Errno ?? .ioError)
    }
    try self.init(opened: opened)
  }

  /// Takes over an open file; any but a regular file is refused and closed.
  init(opened: FileDescriptor) throws(CoverFailure) {
    do throws(CoverFailure) {
      version = try ClipVersion(of: opened)
    } catch {
      try? opened.close()
      throw error
    }
    (descriptor, source) = (opened, nil)
  }

  /// Takes over a copy of a part of another file, which it stands for.
  private init(copy: FileDescriptor, of source: OpenClip) {
    (descriptor, version, self.source) = (copy, source.version, source)
  }

  /// Returns the video in a motion photo; `nil` for any other file.
  func embeddedVideo() throws(CoverFailure) -> OpenClip? {
    guard let video = EmbeddedVideo(in: self) else { return nil }
    return OpenClip(copy: try video.copy(from: descriptor), of: self)
  }

  /// The failure of work on a file that was written to since it was opened; `nil` if it was not.
  ///
  /// A file that has taken the place of this one under its name is another file, and does not count.
  package var change: CoverFailure? {
    if let source { return source.change }
    guard (try? ClipVersion(of: descriptor)) != version else { return nil }
    return CoverFailure(
      stage: .input,
      cause: .changed,
      message: "the file was changed while it was read",
      advice: "try again once nothing writes to it"
    )
  }

  deinit {
    try? descriptor.close()
  }
}
