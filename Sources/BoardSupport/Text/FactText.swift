internal import Covers

/// Durations and sizes as readable text.
package enum FactText {
  /// Returns a duration as `0.04 s` or `0.4 s` below a minute, otherwise as `1:02` or `1:02:03`; `nil` if it is
  /// invalid.
  package static func duration(_ seconds: Double) -> String? {
    guard seconds >= 0, let whole = Int(exactly: seconds.rounded()) else { return nil }
    guard seconds >= 59.95 else { return DecimalText.of(seconds, places: seconds < 0.1 ? 2 : 1) + " s" }
    let (minutes, second) = whole.quotientAndRemainder(dividingBy: 60)
    let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return hour == 0 ? "\(minute):\(two(second))" : "\(hour):\(two(minute)):\(two(second))"
  }

  /// Returns a size in the largest decimal unit that gives at least 1: `999 B`, `1.2 MB`.
  package static func bytes(_ bytes: Int) -> String {
    var (value, unit) = (Double(bytes), "B")
    for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] where value >= 999.95 {
      (value, unit) = (value / 1000, larger)
    }
    return unit == "B" ? "\(bytes) B" : "\(DecimalText.of(value, places: 1)) \(unit)"
  }

  /// Returns a frame rate with at most two decimal places: `25 fps`, `29.97 fps`.
  package static func frameRate(_ rate: Double) -> String {
    DecimalText.of(rate, places: 0...2) + " fps"
  }
}
