internal import Glibc
public import SystemPackage

extension ReplacementFile {
  /// Removes new versions of files and folders left in a folder by killed processes.
  ///
  /// Such a file has a name only for the moment before it replaces the old version, or for longer on file systems
  /// without `O_TMPFILE`. The process that created it holds a lock on it, which ends with the process, so a file that
  /// can be locked does not belong to a running process.
  public static func removeLeftovers(in folder: FilePath) {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if isTemporaryName(name) { removeIfAbandoned(name, in: dirfd(stream)) }
    }
  }

  /// Whether a name has the form of `temporaryName()`: a process ID and a random number.
  private static func isTemporaryName(_ name: String) -> Bool {
    guard name.hasPrefix(temporaryPrefix), name.hasSuffix(temporarySuffix) else { return false }
    let parts = name.dropFirst(temporaryPrefix.count).dropLast(temporarySuffix.count).split(separator: "-")
    return parts.count == 2 && UInt32(parts[0]) != nil && UInt64(parts[1], radix: 36) != nil
  }

  /// Removes a regular file without another name, or a folder, if it belongs to this user and is not locked.
  private static func removeIfAbandoned(_ name: String, in folder: CInt) {
    guard let status = try? FileStatus(ofName: name, in: folder), status.access.isOfThisUser,
      status.isFolder || (status.kind == .regular && status.nameCount == 1)
    else { return }
    let file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return }
    if status.isFolder {
      FolderNames.remove(FilePath(name), in: FileDescriptor(rawValue: folder))
    } else {
      unlinkat(folder, name, 0)
    }
  }
}
