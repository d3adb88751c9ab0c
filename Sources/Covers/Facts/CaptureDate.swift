/// The date of a recording, as precise as the clip states it: a day, or a time with or without an offset from UTC.
///
/// Its description is in ISO 8601, such as `2024-05-01T12:30:45+02:00`.
package struct CaptureDate: Hashable, Sendable, LosslessStringConvertible {
  /// The date in ISO 8601.
  package let description: String

  /// Parses a date as clips contain it: ISO 8601 with or without its separators, or with a space instead of the T.
  ///
  /// Fails if the text is not a date or stands for an unknown date: the starts of the clocks in QuickTime
  /// files (1904), Unix (1970) and Windows (1601), and years before there was any recording.
  package init?(_ text: String) {
    var scanner = Scanner(text)
    guard let day = scanner.day() else { return nil }
    guard !scanner.isAtEnd else {
      description = day
      return
    }
    guard scanner.skip(where: { "T t".utf8.contains($0) }), let time = scanner.time(), let zone = scanner.zone(),
      scanner.isAtEnd
    else { return nil }
    description = day + "T" + time + zone
  }

  /// The day according to the camera's clock, such as `2024-05-01`.
  package var day: String { String(description.prefix(10)) }

  /// Whether the time is in UTC, so that the time zone of the recording is unknown.
  package var isUTC: Bool { description.hasSuffix("Z") }

  /// The offset from UTC in seconds, positive to the east; `nil` if the clip does not state it.
  package var offsetSeconds: Int? {
    guard !isUTC else { return 0 }
    let zone = description.suffix(6)
    guard description.utf8.count > 10, let sign = zone.first, "+-".contains(sign),
      let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2))
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// Reads the parts of a date from left to right.
  private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text.drop { $0 == " " }.utf8 }

    var isAtEnd: Bool { rest.allSatisfy { $0 == UInt8(ascii: " ") } }

    mutating func skip(where isWanted: (UInt8) -> Bool) -> Bool {
      guard let first = rest.first, isWanted(first) else { return false }
      rest.removeFirst()
      return true
    }

    /// Returns a number of exactly so many digits.
    private mutating func number(_ digits: Int) -> Int? {
      let word = rest.prefix(digits)
      guard word.count == digits, word.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest.removeFirst(digits)
      return word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    mutating func day() -> String? {
      guard let year = number(4) else { return nil }
      let isSeparator: (UInt8) -> Bool = { "-/:".utf8.contains($0) }
      let isSeparated = skip(where: isSeparator)
      guard let month = number(2), !isSeparated || skip(where: isSeparator), let day = number(2),
        year > 1904, (1...12).contains(month), (1...Self.days(of: month, year)).contains(day),
        (year, month, day) != (1970, 1, 1)
      else { return nil }
      return "\(year)-\(Self.digits(month))-\(Self.digits(day))"
    }

    mutating func time() -> String? {
      let isColon: (UInt8) -> Bool = { $0 == UInt8(ascii: ":") }
      guard let hour = number(2) else { return nil }
      let isSeparated = skip(where: isColon)
      guard let minute = number(2), !isSeparated || skip(where: isColon), let second = number(2),
        hour < 24, minute < 60, second <= 60
      else { return nil }
      return [hour, minute, second].map(Self.digits).joined(separator: ":") + (fraction() ?? "")
    }

    /// Returns the fraction of a second without zeros at its end, to the microsecond.
    private mutating func fraction() -> String? {
      guard skip(where: { ".,".utf8.contains($0) }) else { return nil }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest.removeFirst(digits.count)
      var kept = digits.prefix(6)
      while kept.last == UInt8(ascii: "0") { kept.removeLast() }
      return kept.isEmpty ? nil : "." + String(decoding: kept, as: UTF8.self)
    }

    /// Returns the offset from UTC, or an empty text if the rest of the text has none.
    mutating func zone() -> String? {
      _ = skip { $0 == UInt8(ascii: " ") }
      guard !isAtEnd else { return "" }
      if skip(where: { "Zz".utf8.contains($0) }) { return "Z" }
      let isNegative = rest.first == UInt8(ascii: "-")
      guard skip(where: { "+-".utf8.contains($0) }), let hours = number(2), hours < 24 else { return nil }
      _ = skip { $0 == UInt8(ascii: ":") }
      let minutes = isAtEnd ? 0 : number(2) ?? 60
      guard minutes < 60 else { return nil }
      return (isNegative ? "-" : "+") + Self.digits(hours) + ":" + Self.digits(minutes)
    }

    private static func days(of month: Int, _ year: Int) -> Int {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  }
}

extension CaptureDate: Codable {
  /// Decodes a date; fails unless it is written as ``description`` writes it.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = CaptureDate(text), date.description == text else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
    }
    self = date
  }

  /// Encodes the date as text.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
