/// The exit statuses shared by several programs.
public enum ExitNumber {
  /// The requested operation could not be started or completed.
  public static let couldNotGoOn: Int32 = 2
  /// The board's file is missing, damaged or written by a newer version.
  public static let boardUnreadable: Int32 = 6
  /// Invalid arguments; `EX_USAGE` in `sysexits.h`.
  public static let wrongUsage: Int32 = 64
}
