internal import Glibc
public import SystemPackage

/// A place where a file is created, replaced or removed.
///
/// It knows which part of its path the user named and which part the program derived, for instance from the name of a
/// clip. A symbolic link in the named part is followed. A symbolic link in the derived part never is: a file that
/// somebody left in a folder of clips must not redirect what the program writes.
public struct OutputPlace: Sendable {
  /// The whole path, as messages show it.
  public let path: FilePath
  /// How many components at the end of the path are derived; 0 where the user named the file itself.
  let derivedCount: Int

  /// A file that the user named.
  public init(named path: FilePath) {
    self.path = path
    derivedCount = 0
  }

  /// A file whose path ends in components that the program derived.
  ///
  /// - Parameters:
  ///   - path: The whole path.
  ///   - count: How many components at its end are derived, at least 1: that of the file, and those of folders above it.
  public init(_ path: FilePath, derivedComponents count: Int) {
    self.path = path
    derivedCount = max(1, count)
  }

  /// The folder that holds the file.
  public var folder: FilePath {
    let folder = path.removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  /// Whether the user named the file itself, so that a link in its place is followed.
  public var isNamed: Bool { derivedCount == 0 }
}

extension OutputPlace: Hashable {
  /// Two places with the same path are the same place.
  public static func == (one: OutputPlace, other: OutputPlace) -> Bool { one.path == other.path }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

extension OutputPlace {
  /// What stands at a place.
  public enum Occupant: Sendable {
    /// Nothing, or a link that leads to nothing and may be followed.
    case nothing
    /// A regular file.
    case file(FileIdentity, bytes: Int)
    /// A symbolic link that must not be followed.
    case link
    /// Something that is never replaced.
    case special(SpecialFile)
  }

  /// What stands there now.
  public func occupant() -> Occupant {
    guard let status = try? FileStatus(of: path, followsLinks: isNamed) else { return .nothing }
    switch status.kind {
    case .regular: return .file(status.identity, bytes: status.bytes)
    case .link: return .link
    case .special(let kind): return .special(kind)
    }
  }

  /// Opens the file for reading, without waiting for it.
  ///
  /// - Throws: The system's error; `tooManySymbolicLinkLevels` where a link must not be followed.
  public func openForReading() throws(Errno) -> FileDescriptor {
    let options: FileDescriptor.OpenOptions = isNamed ? [] : .noFollow
    do {
      return try FileDescriptor.open(path, .readOnly, options: options.union([.nonBlocking, .closeOnExec]))
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Creates a new file in the place of a regular one, and opens it for writing.
  ///
  /// For files that are written line by line and read meanwhile. To be called after ``check(isForced:sparing:isOurs:)``. The
  /// old file is not written to: it may have other names.
  public func create() throws(FileReplacementError) -> FileDescriptor {
    let place = try location(creating: nil)
    let folder = place.folder.rawValue
    if case .file = occupant() { _ = place.withName { unlinkat(folder, $0, 0) } }
    let mode = ReplacementFile.usualPermissions.rawValue
    let file = place.withName { openat(folder, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
    guard file >= 0 else { throw FileReplacementError(operation: "create", path: path, errno: Errno(rawValue: errno)) }
    return FileDescriptor(rawValue: file)
  }

  /// Whether nothing stands there, or a regular file of ours.
  ///
  /// - Parameter isOurs: Whether the program made the file, which is open for reading.
  public func isFree(_ isOurs: (FileDescriptor) -> Bool) -> Bool {
    switch occupant() {
    case .nothing: return true
    case .link, .special: return false
    case .file:
      guard let file = try? openForReading() else { return false }
      defer { try? file.close() }
      return isOurs(file)
    }
  }

  /// Removes the file there if it is a regular file of ours; everything else stays.
  ///
  /// - Parameter isOurs: Whether the program made the file, which is open for reading.
  public func remove(ifOurs isOurs: (FileDescriptor) -> Bool) {
    guard case .file = occupant(), isFree(isOurs), let name = try? location(creating: nil) else { return }
    _ = name.withName { unlinkat(name.folder.rawValue, $0, 0) }
  }
}
