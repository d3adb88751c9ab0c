internal import ArgumentParser

/// The numbers that a command ends with, the same everywhere.
enum ExitStatus {
  static let someClipsFailed = ExitCode(1)
  static let couldNotGoOn = ExitCode(2)
}
