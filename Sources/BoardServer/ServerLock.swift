internal import BoardText
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
  ///   - place: The place of the file with the board's secrets.
  ///   - board: The board, for the message.
  static func take(at place: OutputPlace, of board: FilePath) throws(CommandError) {
    // The file is kept open; the kernel releases the lock however the process ends.
    guard let file = try? place.openForReading() else { return }
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      try? file.close()
      throw CommandError(
        .cannotContinue,
        "\(board.displayText) is being served already; open the address that its server printed, or end that server"
      )
    }
  }
}
