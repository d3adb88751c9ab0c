/// The exit statuses of `clipcanvas` and the programs that it runs.
package enum ExitStatus: Int32, Sendable {
  /// Some clips have no cover, or some files of a board are missing.
  case someFailed = 1
  /// The operation could not be started or completed.
  case cannotContinue = 2
  /// The board's rules do not allow the event.
  case refused = 3
  /// The board's revision is not the one given with `--if-revision`.
  case conflict = 4
  /// Another process kept the board locked for too long.
  case lockTimeout = 5
  /// The board's file is missing, damaged or written by a newer version.
  case boardUnreadable = 6
  /// Invalid arguments; `EX_USAGE` in `sysexits.h`.
  case usage = 64
}
