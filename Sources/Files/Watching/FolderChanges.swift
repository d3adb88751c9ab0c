internal import Glibc
package import SystemPackage

/// Changes in many folders, as inotify(7) reports them.
package final class FolderChanges {
  /// A change of a file or folder in a watched folder.
  package struct Change {
    /// The kind of change.
    package enum Kind {
      /// A file or folder was created.
      case created
      /// A file that was open for writing was closed.
      case closed
      /// A file or folder was moved here.
      case arrived
      /// The times or permissions of a file were changed.
      case attributes
      /// A file or folder was removed.
      case removed
      /// A file or folder was moved away.
      case movedAway
      /// The watched folder itself was removed, moved or unmounted.
      case folderGone
    }

    /// The kind of change.
    package let kind: Kind
    /// The watched folder.
    package let folder: FilePath
    /// The name in the folder; empty for the folder itself.
    package let name: FilePath
    /// Whether the name is that of a folder.
    package let isFolder: Bool
  }

  /// The changes since the last call, and whether some were lost because there were too many.
  package struct Changes {
    package var changes: [Change] = []
    package var areIncomplete = false
  }

  /// A descriptor that becomes readable when something has changed.
  package let descriptor: FileDescriptor
  private var folders: [CInt: FilePath] = [:]
  private var watches: [FilePath: CInt] = [:]

  private let interesting: UInt32

  private static let always = [
    IN_CREATE, IN_CLOSE_WRITE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR,
  ].reduce(0) { $0 | UInt32($1) }

  /// - Parameter includesAttributes: Whether changes of times and permissions are of interest.
  /// - Throws: The system's error; `tooManyOpenFiles` if the limit of inotify instances is reached.
  package init(includesAttributes: Bool) throws(Errno) {
    interesting = Self.always | (includesAttributes ? UInt32(IN_ATTRIB) : 0)
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    self.descriptor = FileDescriptor(rawValue: descriptor)
  }

  deinit {
    try? descriptor.close()
  }

  /// The number of watched folders.
  package var count: Int { watches.count }

  /// Starts watching a folder; later changes in it are not missed.
  ///
  /// - Throws: The system's error; `noSpace` if the limit of watches is reached.
  package func watch(_ folder: FilePath) throws(Errno) {
    let watch = folder.withPlatformString { inotify_add_watch(descriptor.rawValue, $0, interesting) }
    guard watch >= 0 else { throw Errno(rawValue: errno) }
    if let old = folders[watch], old != folder { watches[old] = nil }
    if let old = watches[folder], old != watch { folders[old] = nil }
    (folders[watch], watches[folder]) = (folder, watch)
  }

  /// Whether a folder is watched.
  package func isWatching(_ folder: FilePath) -> Bool { watches[folder] != nil }

  /// Stops watching a folder and the folders below it.
  package func forget(_ folder: FilePath) {
    for (path, watch) in watches where path.starts(with: folder) {
      inotify_rm_watch(descriptor.rawValue, watch)
      (watches[path], folders[watch]) = (nil, nil)
    }
  }

  /// Returns the changes since the last call, without waiting.
  package func next() -> Changes {
    var changes = Changes()
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while let count = try? descriptor.read(into: buffer), count > 0 {
        var offset = 0
        while offset < count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          add(event, name: buffer[start..<start + Int(event.len)].prefix { $0 != 0 }, to: &changes)
          offset = start + Int(event.len)
        }
      }
    }
    return changes
  }

  private func add(_ event: inotify_event, name: Slice<UnsafeMutableRawBufferPointer>, to changes: inout Changes) {
    guard event.mask & UInt32(IN_Q_OVERFLOW) == 0 else {
      changes.areIncomplete = true
      return
    }
    // A watch that was removed has no folder any more, but its events may still be in the queue.
    guard let folder = folders[event.wd], let kind = Self.kind(of: event.mask) else { return }
    if event.mask & UInt32(IN_IGNORED) != 0 { (folders[event.wd], watches[folder]) = (nil, nil) }
    changes.changes.append(
      Change(
        kind: kind,
        folder: folder,
        name: FilePath(bytes: name),
        isFolder: event.mask & UInt32(IN_ISDIR) != 0
      )
    )
  }

  private static func kind(of mask: UInt32) -> Change.Kind? {
    let kinds: [(Int32, Change.Kind)] = [
      (IN_DELETE_SELF, .folderGone), (IN_MOVE_SELF, .folderGone), (IN_UNMOUNT, .folderGone), (IN_IGNORED, .folderGone),
      (IN_CLOSE_WRITE, .closed), (IN_MOVED_TO, .arrived), (IN_MOVED_FROM, .movedAway), (IN_DELETE, .removed),
      (IN_CREATE, .created), (IN_ATTRIB, .attributes),
    ]
    return kinds.first { mask & UInt32($0.0) != 0 }?.1
  }
}
