internal import CLinux
internal import Glibc
package import SystemPackage

/// The next version of a folder of files, until it is committed.
///
/// The files are written to a folder with a temporary name, which takes the place of the old one in one step: a reader
/// sees either all old files or all new ones, and a failure before that step leaves the old ones unchanged.
package struct ReplacementFolder: ~Copyable {
  private let place: OutputPlace
  private let location: OutputLocation
  /// The new folder.
  private let folder: FileDescriptor
  /// The name of the new folder until it is committed, and then that of the old one.
  private let temporary: FilePath

  /// Starts a new version of the folder at a place.
  ///
  /// - Parameters:
  ///   - place: The place of the folder, which may not exist yet.
  ///   - permissions: The mode of the folder, before the process's umask is applied.
  ///   - folders: The mode of missing folders above it, which are created; `nil` creates none.
  package init(
    for place: OutputPlace,
    permissions: FilePermissions = FilePermissions(rawValue: 0o777),
    creatingFolders folders: FilePermissions? = nil
  ) throws(FileReplacementError) {
    let location = try place.location(creating: folders)
    let new: (FileDescriptor, FilePath)
    do throws(Errno) {
      new = try Self.createNew(in: location, permissions: permissions)
    } catch {
      throw FileReplacementError(operation: "create a folder in", path: place.folder, errno: error)
    }
    self.place = place
    self.location = location
    (folder, temporary) = new
  }

  /// Creates a new version and locks it for as long as this process works on it.
  ///
  /// Until it is locked, another process or another thread of this one may mistake it for a leftover and remove it; see
  /// `removeLeftovers(in:isOurs:)`. Then there is another attempt.
  private static func createNew(
    in location: borrowing OutputLocation,
    permissions: FilePermissions
  ) throws(Errno) -> (FileDescriptor, FilePath) {
    let parent = location.folder.rawValue
    while true {
      let name = ReplacementFile.temporaryName()
      guard name.withPlatformString({ mkdirat(parent, $0, permissions.rawValue) }) == 0 else {
        throw Errno(rawValue: errno)
      }
      let opened = name.withPlatformString { openat(parent, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
      guard opened >= 0 else {
        let error = Errno(rawValue: errno)
        guard error != .noSuchFileOrDirectory else { continue }
        _ = name.withPlatformString { unlinkat(parent, $0, AT_REMOVEDIR) }
        throw error
      }
      let folder = FileDescriptor(rawValue: opened)
      let isLocked = flock(opened, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      // Not every file system counts the names of folders.
      if isLocked, name.withPlatformString({ try? FileStatus(ofName: $0, in: parent) }) != nil { return (folder, name) }
      try? folder.close()
    }
  }

  deinit {
    try? folder.close()
    FolderNames.remove(temporary, in: location.folder)
  }

  /// Writes a file of the folder and syncs it.
  ///
  /// - Parameters:
  ///   - name: The name of the file, which must not exist yet.
  ///   - body: Writes the content.
  package func addFile(
    named name: String,
    writing body: (FileDescriptor) throws(Errno) -> Void
  ) throws(FileReplacementError) {
    do throws(Errno) {
      let mode = ReplacementFile.usualPermissions.rawValue
      let file = openat(folder.rawValue, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard file >= 0 else { throw Errno(rawValue: errno) }
      defer { close(file) }
      try body(FileDescriptor(rawValue: file))
      guard fdatasync(file) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      throw FileReplacementError(operation: "write", path: place.path.appending(name), errno: error)
    }
  }

  /// Puts the folder in place and removes the old one.
  ///
  /// - Parameter isOurs: Returns whether a file of the old folder, by name, may be removed. If there is another file,
  ///   the old folder stays.
  package consuming func commit(removing isOurs: (String) -> Bool) throws(FileReplacementError) {
    do throws(Errno) {
      guard FileSync.whole(folder.rawValue) == 0 else { throw Errno(rawValue: errno) }
      let old = try place.folderNames()
      guard old?.allSatisfy(isOurs) ?? true else { throw Errno.directoryNotEmpty }
      try exchange(hasOld: old != nil)
    } catch {
      throw FileReplacementError(operation: "replace the folder", path: place.path, errno: error)
    }
  }

  /// Gives the new folder its name.
  ///
  /// If there is an old one, it gets the temporary name and is removed with `self`.
  private borrowing func exchange(hasOld: Bool) throws(Errno) {
    let parent = location.folder.rawValue
    let result = temporary.withPlatformString { from in
      location.withName { clinux_rename(parent, from, parent, $0, hasOld) }
    }
    if result == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else { throw Errno(rawValue: errno) }
    // Some network file systems have neither; the folder is then missing for a moment.
    let aside = ReplacementFile.temporaryName()
    if hasOld { try rename(location.name, to: aside) }
    do throws(Errno) {
      try rename(temporary, to: location.name)
    } catch {
      if hasOld { try? rename(aside, to: location.name) }
      throw error
    }
    FolderNames.remove(aside, in: location.folder)
  }

  private borrowing func rename(_ old: FilePath, to new: FilePath) throws(Errno) {
    let parent = location.folder.rawValue
    let result = old.withPlatformString { from in new.withPlatformString { renameat(parent, from, parent, $0) } }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }
}

extension ReplacementFolder {
  /// Removes new versions of folders left in a folder by killed processes.
  ///
  /// A folder that is locked belongs to a running process.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isOurs: Returns whether the program made all files in a folder, which has at least one.
  package static func removeLeftovers(in folder: FilePath, isOurs: (OutputPlace) -> Bool) {
    let parent = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard parent >= 0 else { return }
    defer { close(parent) }
    let names = (try? FolderNames.list(FileDescriptor(rawValue: parent))) ?? []
    for name in names where ReplacementFile.isTemporaryName(name) {
      guard let status = try? FileStatus(ofName: name, in: parent), status.isFolder, status.access.isOfThisUser else {
        continue
      }
      let left = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard left >= 0 else { continue }
      defer { close(left) }
      guard flock(left, LOCK_EX | LOCK_NB) == 0, let files = try? FolderNames.list(FileDescriptor(rawValue: left))
      else {
        continue
      }
      guard files.isEmpty || isOurs(OutputPlace(folder.appending(name), derivedComponents: 1)) else { continue }
      FolderNames.remove(FilePath(name), in: FileDescriptor(rawValue: parent))
    }
  }
}

extension ReplacementFolder {
  /// Removes a folder and the files in it, in one step as others see it.
  ///
  /// - Parameters:
  ///   - place: The place of the folder.
  ///   - isOurs: Returns whether the program made all files in a folder; otherwise it stays.
  package static func remove(at place: OutputPlace, ifOurs isOurs: (OutputPlace) -> Bool) {
    guard case .special(.folder) = place.occupant(), isOurs(place), let location = try? place.location(creating: nil)
    else { return }
    let (parent, aside) = (location.folder.rawValue, ReplacementFile.temporaryName())
    let result = location.withName { name in aside.withPlatformString { renameat(parent, name, parent, $0) } }
    if result == 0 { FolderNames.remove(aside, in: location.folder) }
  }
}

extension OutputPlace {
  /// Returns the names in the folder at the place; `nil` if nothing is there.
  ///
  /// - Throws: The system's error; `notDirectory` for a file or a link that must not be followed.
  package func folderNames() throws(Errno) -> [String]? {
    let links = isNamed ? 0 : O_NOFOLLOW
    let folder = path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | links) }
    guard folder >= 0 else {
      guard errno == ENOENT else { throw Errno(rawValue: errno == ELOOP ? ENOTDIR : errno) }
      return nil
    }
    defer { close(folder) }
    return try FolderNames.list(FileDescriptor(rawValue: folder))
  }
}
