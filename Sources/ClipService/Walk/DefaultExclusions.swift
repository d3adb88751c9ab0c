internal import Files
internal import SystemPackage

/// The files and folders that a walk skips by default: what NAS systems and desktops keep beside people's files, and
/// folders that contain a file `.nomedia`.
///
/// Deleted files, snapshots and thumbnails of other programs would otherwise get covers. Other names that start with a
/// dot are never searched.
enum DefaultExclusions {
  private static let mark: FilePath = ".nomedia"

  private static let rules = IgnoreRules(
    Array(
      ##"""
      # Synology
      @eaDir/
      \#recycle/
      \#snapshot/
      @tmp/
      # QNAP
      @Recycle/
      @Recently-Snapshot/
      .@__thumb/
      # Windows
      $RECYCLE.BIN/
      $Recycle.Bin/
      RECYCLER/
      System Volume Information/
      # Files that are open in Microsoft Office
      ~$*
      # Desktops of Linux and macOS, and Samba
      .Trash-*/
      .Trashes/
      .recycle/
      # ext4
      lost+found/
      """##.utf8
    )
  )

  /// Whether an entry is a folder that is skipped here, and would be hidden otherwise.
  static func knows(hidden name: ArraySlice<UInt8>, _ kind: FolderListing.Kind) -> Bool {
    kind == .folder && rules.ignores([name], isFolder: true) == true
  }

  /// Whether a file or folder is skipped.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - isFolder: Whether it is a folder.
  ///   - parent: The folder that it is in.
  static func exclude(_ name: ArraySlice<UInt8>, isFolder: Bool, in parent: FilePath) -> Bool {
    if rules.ignores([name], isFolder: isFolder) == true { return true }
    guard isFolder else { return false }
    let mark = parent.pushing(FilePath(bytes: name)).pushing(mark)
    return (try? FileStatus(of: mark, followsLinks: false)) != nil
  }
}
