internal import Glibc
package import SystemPackage

extension ReplacementFile {
  /// Removes new versions left in a folder by killed processes.
  ///
  /// Such a file has a name only for the moment before it replaces the old version, or for longer on file systems
  /// without `O_TMPFILE`. The process that created it holds a lock on it, which ends with the process, so a file that
  /// can be locked does not belong to a running process.
  package static func removeLeftovers(in folder: FilePath) {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if isTemporaryName(name) { removeIfAbandoned(name, in: dirfd(stream)) }
    }
  }

  /// Whether a name has the form of `temporaryName()`: a process ID and a random number.
  static func isTemporaryName(_ name: String) -> Bool {
    guard name.hasPrefix(temporaryPrefix), name.hasSuffix(temporarySuffix) else { return false }
    let parts = name.dropFirst(temporaryPrefix.count).dropLast(temporarySuffix.count).split(separator: "-")
    return parts.count == 2 && UInt32(parts[0]) != nil && UInt64(parts[1], radix: 36) != nil
  }

  /// Removes a regular file that belongs to this user, is not locked and has no other name.
  private static func removeIfAbandoned(_ name: String, in folder: CInt) {
    guard let status = try? FileStatus(ofName: name, in: folder), status.kind == .regular, status.nameCount == 1,
      status.access.isOfThisUser
    else { return }
    let file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { unlinkat(folder, name, 0) }
  }
}
