internal import Glibc
internal import SystemPackage

/// The names in a folder without subfolders.
enum FolderNames {
  /// Returns the names in an open folder, without `.` and `..`.
  static func list(_ folder: FileDescriptor) throws(Errno) -> [String] {
    // The listing gets a separate descriptor, which is closed with it.
    let copy = openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw Errno(rawValue: errno) }
    guard let stream = fdopendir(copy) else {
      let error = Errno(rawValue: errno)
      close(copy)
      throw error
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Removes a folder and the files in it, if it has no subfolders.
  static func remove(_ name: FilePath, in parent: FileDescriptor) {
    let opened = name.withPlatformString {
      openat(parent.rawValue, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard opened >= 0 else { return }
    defer { close(opened) }
    for file in (try? list(FileDescriptor(rawValue: opened))) ?? [] { unlinkat(opened, file, 0) }
    _ = name.withPlatformString { unlinkat(parent.rawValue, $0, AT_REMOVEDIR) }
  }
}
