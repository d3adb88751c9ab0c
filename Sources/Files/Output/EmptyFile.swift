internal import Glibc
package import SystemPackage

/// An empty file that exists already and is filled in place instead of being replaced.
///
/// A program that creates a file and then runs another one to write it may have it open and read it from there, as
/// tumbler does with thumbnails. A failure could not destroy any content.
package struct EmptyFile: ~Copyable {
  private let path: FilePath
  private let descriptor: FileDescriptor

  /// Opens the file at a place; fails unless the user named it and it is an empty regular file that may be written to.
  package init?(at place: OutputPlace) {
    guard let descriptor = Self.open(place) else { return nil }
    (path, self.descriptor) = (place.path, descriptor)
  }

  private static func open(_ place: OutputPlace) -> FileDescriptor? {
    guard place.isNamed, case .file(let identity, bytes: 0) = place.occupant() else { return nil }
    let options: FileDescriptor.OpenOptions = [.nonBlocking, .closeOnExec]
    guard let file = try? FileDescriptor.open(place.path, .writeOnly, options: options) else { return nil }
    if let status = try? FileStatus(of: file), status.identity == identity, status.bytes == 0 { return file }
    try? file.close()
    return nil
  }

  deinit {
    try? descriptor.close()
  }

  /// Writes the content and syncs it to disk; after a failure, the file is empty again.
  ///
  /// - Parameter body: Writes the content to a descriptor.
  package consuming func fill(_ body: (FileDescriptor) throws(Errno) -> Void) throws(FileReplacementError) {
    do throws(Errno) {
      try body(descriptor)
      guard fdatasync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      _ = ftruncate(descriptor.rawValue, 0)
      throw FileReplacementError(operation: "write", path: path, errno: error)
    }
  }
}
