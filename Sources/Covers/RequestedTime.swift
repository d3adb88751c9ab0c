/// The frame of a clip to use, counted from the start of its video.
///
/// Written as `first`, seconds (`2.5`), a clock time (`1:02:03.5`) or a percentage of the duration (`50%`).
public enum RequestedTime: Hashable, Sendable {
  /// The frame presented first.
  case first
  /// The frame presented the given number of seconds after the start; finite and not negative.
  case seconds(Double)
  /// The frame presented at the given percentage of the duration, 0…100.
  case percent(Double)
}

extension RequestedTime: LosslessStringConvertible {
  /// Parses a time as a person types it; returns `nil` if the text is not a time.
  public init?(_ text: String) {
    if text == "first" {
      self = .first
    } else if text.last == "%" {
      guard let share = Self.number(text.dropLast()), share <= 100 else { return nil }
      self = .percent(share)
    } else {
      guard let seconds = Self.clockSeconds(text) else { return nil }
      self = .seconds(seconds)
    }
  }

  /// The time as a person types it.
  public var description: String {
    switch self {
    case .first: "first"
    case .seconds(let seconds): Self.decimal(seconds)
    case .percent(let share): "\(Self.decimal(share))%"
    }
  }

  /// The shortest decimal digits that parse to the same number, without the exponent that Swift writes below 0.0001 and
  /// that is not accepted here.
  private static func decimal(_ number: Double) -> String {
    let parts = "\(number)".split(separator: "e-")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return "\(number)" }
    return "0." + String(repeating: "0", count: exponent - 1) + parts[0].filter { $0 != "." }
  }

  /// Parses digits with at most one decimal point, without a sign, exponent, `nan` or `inf`.
  private static func number(_ text: Substring) -> Double? {
    guard text.first?.isNumber == true, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else {
      return nil
    }
    return Double(text)
  }

  /// Parses seconds, `M:S` or `H:M:S`; the result is below a hundred years, so converting it cannot overflow.
  private static func clockSeconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3 else { return nil }
    var total = 0.0
    for part in parts {
      guard let value = number(part) else { return nil }
      total = total * 60 + value
    }
    return total < 3_155_760_000 ? total : nil
  }
}
