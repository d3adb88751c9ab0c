internal import BoardSupport

/// The times of frames as text, all in the same form: `1:23` or `1:02:03`, or with decimal places if frames that follow
/// one another would have the same text, `0:02.5`.
struct TimeText {
  private let hasHours: Bool
  private let places: Int

  /// Creates the form for a series of times.
  init(of times: [Double?]) {
    let known = times.compactMap(\.self)
    hasHours = (known.max() ?? 0) >= 3600
    places =
      (0..<Self.maximumPlaces).first { places in
        zip(known, known.dropFirst()).allSatisfy { Self.units($0, places) != Self.units($1, places) }
      } ?? Self.maximumPlaces
  }

  private static let maximumPlaces = 2

  /// Returns a time in units of the last decimal place.
  private static func units(_ time: Double, _ places: Int) -> Int {
    // A frame is shown from its time on, so a time is not rounded up; but 0.28 in binary is slightly less.
    Int(exactly: (max(0, time) * [1, 10, 100][places] + 1e-6).rounded(.down)) ?? 0
  }

  /// Returns a time as text.
  func of(_ time: Double) -> String {
    let (whole, rest) = Self.units(time, places).quotientAndRemainder(dividingBy: [1, 10, 100][places])
    let (minutes, second) = whole.quotientAndRemainder(dividingBy: 60)
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let clock = hasHours ? "\(minutes / 60):\(two(minutes % 60))" : "\(minutes)"
    let decimals = places == 0 ? "" : "." + (places == 1 ? "\(rest)" : two(rest))
    return "\(clock):\(two(second))\(decimals)"
  }
}
