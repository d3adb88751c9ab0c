internal import Glibc

/// How long the tests run that try something many times: short with all the others, long by `make torture`.
public enum LongForm {
  /// Whether the long forms were asked for.
  public static let isWanted = getenv("CLIPCANVAS_TORTURE") != nil

  /// How often something is tried.
  ///
  /// - Parameter variable: An environment variable that says so for the long form.
  public static func count(short: Int, long: Int, variable: String) -> Int {
    guard isWanted else { return short }
    return getenv(variable).flatMap { Int(String(cString: $0)) } ?? long
  }
}

/// Numbers that are the same in every run.
public struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// - Parameter seed: Another one gives other numbers.
  public init(seed: UInt64) { state = seed }

  /// The next number (SplitMix64).
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
    return number ^ number >> 31
  }
}
