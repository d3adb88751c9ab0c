internal import Glibc

/// The number of repetitions in stress tests: few with all other tests, many in `make torture`.
package enum LongForm {
  /// Whether the long form was requested.
  package static let isWanted = getenv("CLIPCANVAS_TORTURE") != nil

  /// Returns the number of repetitions.
  ///
  /// - Parameter variable: An environment variable that overrides the number for the long form.
  package static func count(short: Int, long: Int, variable: String) -> Int {
    guard isWanted else { return short }
    return getenv(variable).flatMap { Int(String(cString: $0)) } ?? long
  }
}

/// Random numbers that are the same in every run.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// - Parameter seed: The start of the sequence.
  package init(seed: UInt64) { state = seed }

  /// Returns the next number (SplitMix64).
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
    return number ^ number >> 31
  }
}
