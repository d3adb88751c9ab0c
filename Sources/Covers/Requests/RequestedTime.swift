/// The frame of a clip to use, counted from the start of its video.
///
/// Written as `first`, `best`, seconds (`2.5`), a clock time (`1:02:03.5`), a time with units (`1m30s`) or a percentage
/// of the duration (`50%`); with `key:` before a time or percentage (`key:50%`), the last key frame that is not later.
package enum RequestedTime: Hashable, Sendable {
  /// A time in a clip.
  package enum Position: Hashable, Sendable {
    /// The given number of seconds after the start; finite and not negative.
    case seconds(Double)
    /// The given percentage of the duration, 0…100.
    case percent(Double)

    /// Whether it depends on the duration.
    package var isPercent: Bool {
      if case .percent = self { return true }
      return false
    }
  }

  /// The frame presented first.
  case first
  /// The frame that is the best picture of the clip; see ``FrameScore``.
  case best
  /// The frame presented at a time.
  case frame(at: Position)
  /// The last key frame presented at or before a time, which is found without decoding the frames between them.
  case keyFrame(before: Position)

  /// The frame presented the given number of seconds after the start.
  package static func seconds(_ seconds: Double) -> RequestedTime { .frame(at: .seconds(seconds)) }

  /// The frame presented at the given percentage of the duration.
  package static func percent(_ share: Double) -> RequestedTime { .frame(at: .percent(share)) }

  /// The requested time; `nil` for the first and the best frame.
  package var position: Position? {
    switch self {
    case .first, .best: nil
    case .frame(let position), .keyFrame(let position): position
    }
  }

  /// Whether only key frames are considered.
  package var isKeyFrame: Bool {
    guard case .keyFrame = self else { return false }
    return true
  }
}

extension RequestedTime: LosslessStringConvertible {
  /// The text before the time of a key frame.
  private static let keyPrefix = "key:"

  /// Parses a time as a person types it; returns `nil` if the text is not a time.
  package init?(_ text: String) {
    if text == "first" {
      self = .first
    } else if text == "best" {
      self = .best
    } else if text.hasPrefix(Self.keyPrefix) {
      guard let position = Position(String(text.dropFirst(Self.keyPrefix.count))) else { return nil }
      self = .keyFrame(before: position)
    } else {
      guard let position = Position(text) else { return nil }
      self = .frame(at: position)
    }
  }

  /// The time as a person types it.
  package var description: String {
    switch self {
    case .first: "first"
    case .best: "best"
    case .frame(let position): position.description
    case .keyFrame(let position): Self.keyPrefix + position.description
    }
  }
}

extension RequestedTime.Position: LosslessStringConvertible {
  /// Parses a time as a person types it; returns `nil` if the text is not a time.
  package init?(_ text: String) {
    if text.last == "%" {
      guard let share = Self.number(text.dropLast()), share <= 100 else { return nil }
      self = .percent(share)
    } else {
      guard let seconds = Self.seconds(text) else { return nil }
      self = .seconds(seconds)
    }
  }

  /// The time as a person types it.
  package var description: String {
    switch self {
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

  /// The seconds that a time may have: less than a hundred years, so that converting it cannot overflow.
  package static let secondsRange = 0..<3_155_760_000.0

  /// Parses seconds, a clock time or a time with units, within ``secondsRange``.
  private static func seconds(_ text: String) -> Double? {
    let seconds = text.last?.isLetter ?? false ? unitSeconds(text[...]) : clockSeconds(text)
    return seconds.flatMap { secondsRange.contains($0) ? $0 : nil }
  }

  /// Parses `S`, `M:S` or `H:M:S`; only the first part may be 60 or more.
  private static func clockSeconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3 else { return nil }
    var total = 0.0
    for (index, part) in parts.enumerated() {
      guard let value = number(part), index == 0 || value < 60 else { return nil }
      total = total * 60 + value
    }
    return total
  }

  /// Parses numbers with units, the largest unit first: `90s`, `1m30s`, `1h2m3.5s`.
  private static func unitSeconds(_ text: Substring) -> Double? {
    var (total, rest) = (0.0, text)
    for (unit, factor) in [("h", 3600.0), ("m", 60.0), ("s", 1.0)] {
      let digits = rest.prefix { !$0.isLetter }
      guard rest.dropFirst(digits.count).first.map(String.init) == unit else { continue }
      guard let value = number(digits) else { return nil }
      total += value * factor
      rest = rest.dropFirst(digits.count + 1)
    }
    return rest.isEmpty ? total : nil
  }
}

extension RequestedTime.Position: Codable {
  /// Reads the time as a person types it.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let position = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
    }
    self = position
  }

  /// Writes the time as a person types it.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
