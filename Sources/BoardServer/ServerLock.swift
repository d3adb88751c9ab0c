internal import BoardSupport
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// Keeps a second server away from a board: it would not know the uploads of the first, and would interrupt its
/// recordings.
enum ServerLock {
  /// Takes the lock of a board, which lasts as long as this process.
  ///
  /// - Parameters:
  ///   - board: The board's absolute path without links.
  ///   - name: The board, for the message.
  static func take(ofBoard board: FilePath, named name: FilePath) throws(CommandError) {
    // The file is kept open; the kernel releases the lock however the process ends.
    let file = try open(StateFolder.place(ofBoard: board, suffix: ".lock"))
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      try? file.close()
      throw CommandError(
        .cannotContinue,
        "\(name.displayText) is already being served; open the address that its server printed, or end that server"
      )
    }
  }

  private static func open(_ place: OutputPlace) throws(CommandError) -> FileDescriptor {
    do throws(FileReplacementError) {
      try StateFolder.make()
      do throws(FileReplacementError) {
        return try place.createNew(creatingFolders: .ownerReadWriteExecute)
      } catch  where error.errno == .fileExists {
        return try place.openForUpdating().file
      }
    } catch {
      throw StateFolder.unusable(error)
    }
  }
}
