/// The numbers that more than one of the programs ends with.
public enum ExitNumber {
  /// What was asked for could not be begun, or not be ended.
  public static let couldNotGoOn: Int32 = 2
  /// The board's file is missing, damaged or of a newer version.
  public static let boardUnreadable: Int32 = 6
  /// That of `sysexits.h`.
  public static let wrongUsage: Int32 = 64
}
