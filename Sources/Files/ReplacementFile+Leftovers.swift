internal import Glibc
public import SystemPackage

extension ReplacementFile {
  /// Removes new versions that killed processes have left in a folder.
  ///
  /// Such a file has a name only for the moment before it takes the old version's place, or for longer on file systems
  /// without `O_TMPFILE`. Its maker holds a lock on it, which ends with the process; so what can be locked is nobody's.
  public static func removeLeftovers(in folder: FilePath) {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name.hasPrefix(temporaryPrefix), name.hasSuffix(temporarySuffix) else { continue }
      removeIfNobodys(folder.appending(name))
    }
  }

  private static func removeIfNobodys(_ path: FilePath) {
    let options: FileDescriptor.OpenOptions = [.nonBlocking, .noFollow, .closeOnExec]
    guard let file = try? FileDescriptor.open(path, .readOnly, options: options) else { return }
    defer { try? file.close() }
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else { return }
    _ = path.withPlatformString { unlink($0) }
  }
}
