internal import ArgumentParser

/// The numbers that a command ends with, the same everywhere.
enum ExitStatus {
  static let someClipsFailed = ExitCode(1)
  static let couldNotGoOn = ExitCode(2)
  /// By the board's rules.
  static let refused = ExitCode(3)
  /// The board has another revision than was asked for.
  static let conflict = ExitCode(4)
  static let lockTimeout = ExitCode(5)
  static let boardUnreadable = ExitCode(6)
}
