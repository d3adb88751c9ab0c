internal import ArgumentParser
internal import BoardText

/// The numbers that a command ends with, the same everywhere.
enum ExitStatus {
  static let someClipsFailed = ExitCode(1)
  static let couldNotGoOn = ExitCode(ExitNumber.couldNotGoOn)
  /// By the board's rules.
  static let refused = ExitCode(3)
  /// The board has another revision than was asked for.
  static let conflict = ExitCode(4)
  static let lockTimeout = ExitCode(5)
  static let boardUnreadable = ExitCode(ExitNumber.boardUnreadable)
}
