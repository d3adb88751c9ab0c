internal import Glibc
package import SystemPackage

/// The status of a file, as stat(2) reports it.
package struct FileStatus: Sendable {
  /// The kind of a file.
  package enum Kind: Hashable, Sendable {
    case regular
    case link
    case special(SpecialFile)
  }

  /// The kind of the file.
  package let kind: Kind
  /// The device and inode of the file.
  package let identity: FileIdentity
  /// The size in bytes.
  package let bytes: Int
  /// The time of the last change of the content.
  package let modificationTime: FileTime
  /// The number of names that the file has.
  package let nameCount: Int
  /// The owner, group and mode.
  package let access: FileAccess

  /// Whether the file is a folder.
  package var isFolder: Bool { kind == .special(.folder) }

  /// Returns the status of the file that a path leads to.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - followsLinks: Whether a symbolic link in the last component is followed.
  /// - Throws: The system's error.
  package init(of path: FilePath, followsLinks: Bool = true) throws(Errno) {
    var status = stat()
    let result = path.withPlatformString { followsLinks ? stat($0, &status) : lstat($0, &status) }
    guard result == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  /// Returns the status of an open file.
  ///
  /// - Throws: The system's error.
  package init(of file: FileDescriptor) throws(Errno) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  /// Returns the status of a file in an open folder; a symbolic link is not followed.
  ///
  /// - Throws: The system's error.
  init(ofName name: UnsafePointer<CChar>, in folder: CInt) throws(Errno) {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  private init(_ status: stat) {
    kind = Kind(mode: status.st_mode)
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    bytes = Int(status.st_size)
    modificationTime = FileTime(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    nameCount = Int(status.st_nlink)
    access = FileAccess(owner: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o7777)
  }
}

extension FileStatus.Kind {
  fileprivate init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFLNK: .link
      case S_IFDIR: .special(.folder)
      case S_IFIFO: .special(.pipe)
      case S_IFSOCK: .special(.socket)
      default: .special(.device)
      }
  }
}

/// A kind of file that is neither regular nor a symbolic link, and is never replaced.
package enum SpecialFile: Hashable, Sendable {
  case folder, pipe, socket, device
}

/// A time of a file, in seconds and nanoseconds since 1970 (UTC).
package struct FileTime: Hashable, Sendable {
  /// Whole seconds; negative before 1970.
  package let seconds: Int
  /// The rest, 0..<1 000 000 000.
  package let nanoseconds: Int

  /// The time in nanoseconds; `nil` when it does not fit into 64 bits (before 1678 or after 2261).
  package var totalNanoseconds: Int? {
    let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (total, isJustBeyond) = whole.addingReportingOverflow(nanoseconds)
    return isBeyond || isJustBeyond ? nil : total
  }
}

extension FileTime: Comparable {
  /// The current time as the kernel writes it to files, which lags the clock by up to a few milliseconds.
  package static var now: FileTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return FileTime(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }

  /// Whether a time is before another.
  package static func < (one: FileTime, other: FileTime) -> Bool {
    (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
  }
}
