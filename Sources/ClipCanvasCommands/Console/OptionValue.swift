internal import ArgumentParser
internal import ClipService
internal import Covers

/// Parsers of option values, which throw an error with the valid forms.
enum OptionValue {
  static func size(_ text: String) throws -> SizeLimit {
    try value(SizeLimit(text), of: text, "a size", "256 or 320x240, with sides of 1 to \(SizeLimit.largestSide) pixels")
  }

  /// The longest side of a box that is filled; a small clip would otherwise become a picture of any size.
  private static let largestFill = 4096

  /// Parses the size of a box that is filled.
  static func fill(_ text: String) throws -> SizeLimit {
    let size = SizeLimit(text).flatMap { max($0.width, $0.height) <= largestFill ? $0 : nil }
    return try value(size, of: text, "a size to fill", "256 or 320x240, with sides of 1 to \(largestFill) pixels")
  }

  static func format(_ text: String) throws -> CoverFormat {
    try value(
      CoverFormat(rawValue: text) ?? CoverFormat(fileExtension: text),
      of: text,
      "a format",
      "png, jpeg or webp"
    )
  }

  /// The maximum number of times in a list.
  private static let maximumTimes = 100

  /// Parses the times of frames, separated by commas.
  static func times(_ text: String) throws -> [RequestedTime] {
    try times(text, forms: "2.5, 1m30s, 1:02:03, 50%, key:50%, first or best")
  }

  private static func times(_ text: String, forms: String) throws -> [RequestedTime] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 1 || !parts.contains("") else {
      throw InvalidValue("one of the times in '\(text)' is empty: use \(forms)")
    }
    let times = try parts.map { try time(String($0), forms: forms) }
    guard times.count <= maximumTimes else {
      throw InvalidValue("'--at' takes at most \(maximumTimes) times, not \(times.count)")
    }
    return times
  }

  /// Parses the times of the frames of a contact sheet.
  static func positions(_ text: String) throws -> [RequestedTime.Position] {
    let forms = "2.5, 1m30s, 1:02:03, 50% or first"
    return try times(text, forms: forms).map { time in
      switch time {
      case .first: return .seconds(0)
      case .frame(let position): return position
      case .best, .keyFrame: throw InvalidValue("'\(time)' is not a time for a contact sheet: use \(forms)")
      }
    }
  }

  /// Parses the start or the end of a part of a clip.
  static func position(_ text: String) throws -> RequestedTime.Position {
    let forms = "2.5, 1m30s, 1:02:03 or 50%"
    guard case .frame(let position) = try time(text, forms: forms) else {
      throw InvalidValue("'\(text)' is not a time that a part can start or end at: use \(forms)")
    }
    return position
  }

  private static func time(_ text: String, forms: String) throws -> RequestedTime {
    let (prefix, keyForms) = ("key:", "key:2.5, key:1m30s, key:1:02:03 or key:50%")
    let isKeyFrame = text.hasPrefix(prefix)
    let position = isKeyFrame ? text.dropFirst(prefix.count) : text[...]
    if let flaw = flaw(ofTime: position) { throw InvalidValue("'\(text)' is not a time: \(flaw)") }
    return try value(RequestedTime(text), of: text, "a time", isKeyFrame ? keyForms : forms)
  }

  /// Returns what is wrong with a text that looks like a time; `nil` if it is a time or something else.
  private static func flaw(ofTime text: Substring) -> String? {
    let number = Double(text.prefix { !$0.isLetter && $0 != "%" && $0 != ":" })
    if let number, text.hasPrefix("-") { return number.isFinite ? "times cannot be negative" : nil }
    if let number, text.last == "%", number > 100 { return "percentages go up to 100%" }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    if parts.count > 1, parts.dropFirst().compactMap(\.self).contains(where: { $0 >= 60 }) {
      return "minutes and seconds after a colon go up to 59"
    }
    return nil
  }

  /// Parses the time between two tiles, in the forms of a time.
  static func interval(_ text: String) throws -> Double {
    let interval = seconds(text).flatMap { SheetPlan.intervals.contains($0) ? $0 : nil }
    return try value(interval, of: text, "an interval", "10, 2.5, 1:30 or 1m30s, from 0.1 seconds to a day")
  }

  /// Parses the numbers of columns and rows of a sheet.
  static func grid(_ text: String) throws -> Grid {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    var grid: Grid?
    if sides.count == 2, let columns = sides[0], let rows = sides[1], SheetPlan.sides.contains(columns),
      SheetPlan.sides.contains(rows)
    {
      grid = Grid(columns: columns, rows: rows)
    }
    return try value(grid, of: text, "a grid", "columns and rows such as 10x10, each from 1 to 20")
  }

  /// The numbers of columns and rows of a sheet.
  struct Grid {
    let columns: Int
    let rows: Int
  }

  static func animationFormat(_ text: String) throws -> AnimationFormat {
    try value(AnimationFormat(fileExtension: text), of: text, "a format of animations", "webp or gif")
  }

  /// Parses the length of a segment of an animation.
  static func segmentLength(_ text: String) throws -> Double {
    let length = seconds(text).flatMap { AnimationPlan.segmentLengths.contains($0) ? $0 : nil }
    return try value(length, of: text, "the length of a segment", "seconds from 0.1 to 10")
  }

  /// Parses a number of bytes, also in thousands (`k`) or millions (`M`).
  static func fileSize(_ text: String) throws -> Int {
    let units = ["k": 1000, "K": 1000, "M": 1_000_000]
    let unit = text.last.flatMap { units[String($0)] }
    let digits = unit == nil ? text[...] : text.dropLast()
    let number = digits.allSatisfy(\.isASCIIDigit) ? Int(digits) : nil
    let bytes = number.flatMap { number -> Int? in
      let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
      return !isTooLarge && AnimationPlan.fileSizes.contains(bytes) ? bytes : nil
    }
    return try value(bytes, of: text, "the size of a file", "500k, 2M or a number of bytes, up to 1073M")
  }

  /// Parses the pattern of the names of covers.
  static func coverName(_ text: String) throws -> CoverName {
    do throws(CoverName.Flaw) {
      return try CoverName(text)
    } catch {
      throw InvalidValue("'--name \(text)': \(message(of: error))")
    }
  }

  private static func message(of flaw: CoverName.Flaw) -> String {
    switch flaw {
    case .empty: "the pattern is empty; use one such as {stem}-thumb.{ext}"
    case .character: "a name has no slashes and no control characters; name the folder with '-o'"
    case .token(let token): "'\(token)' is not a token: use {name}, {stem}, and {ext} at the end"
    case .position("{ext}"): "{ext} belongs at the end, after a dot"
    case .position(let token): "'\(token)' is one too many: use either {name} or {stem}, once"
    case .noExtension: "the pattern has no file extension: end it with .{ext}"
    case .otherExtension(let ending): "covers cannot have the extension .\(ending): end the pattern with .{ext}"
    case .tooLong: "the pattern is too long for the name of a file"
    }
  }

  static func colour(_ text: String) throws -> Colour {
    try value(Colour(text), of: text, "a colour", "#rrggbb, #rgb or a basic name such as white")
  }

  /// Parses a shard.
  ///
  /// Its number may be written as a number from 0 and `+1`, because some schedulers count from 0, and their containers
  /// may have no shell to add 1.
  static func shard(_ text: String) throws -> Shard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    var shard: Shard?
    if parts.count == 2, let count = Int(parts[1]) {
      let isFromZero = parts[0].hasSuffix("+1")
      if let index = Int(isFromZero ? parts[0].dropLast(2) : parts[0]), index < count || !isFromZero {
        shard = Shard(index + (isFromZero ? 1 : 0), of: count)
      }
    }
    return try value(shard, of: text, "a shard", "K/N with K from 1 to N, such as 2/5")
  }

  /// Returns a parser of whole numbers in a range.
  ///
  /// - Parameters:
  ///   - option: The name of the option, for messages.
  ///   - range: The valid numbers.
  ///   - noun: What the numbers count, for messages.
  static func whole(
    _ option: String,
    _ range: ClosedRange<Int>,
    _ noun: String = "a number"
  ) -> @Sendable (String) throws -> Int {
    { text in
      guard let number = Int(text), range.contains(number) else {
        let limit =
          range.upperBound == .max ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        throw InvalidValue("'\(option)' takes \(noun) \(limit), not '\(text)'")
      }
      return number
    }
  }

  /// Parses a duration, in seconds or in the other forms of a time: `2.5`, `90s`, `10m`, `1h30m` or `1:30`.
  static func seconds(_ text: String) -> Double? {
    if case .seconds(let seconds)? = RequestedTime.Position(text) { seconds } else { nil }
  }

  /// Returns a parser of times from the start of a clip, in seconds or in the other forms of a time.
  static func timeInClip(_ option: String) -> @Sendable (String) throws -> Double {
    { text in
      guard let seconds = seconds(text) else {
        throw InvalidValue(
          "'\(option)' takes a time from the start of the clip, such as 2.5, 1m30s or 1:02:03, not '\(text)'"
        )
      }
      return seconds
    }
  }

  /// Returns a parser of durations in a range of seconds.
  static func duration(_ option: String, _ range: ClosedRange<Double>) -> @Sendable (String) throws -> Double {
    { text in
      guard let seconds = seconds(text), range.contains(seconds) else {
        throw InvalidValue(
          "'\(option)' takes a duration from \(Int(range.lowerBound)) to \(Int(range.upperBound)) seconds, such as 2.5, 90s or 10m, "
            + "not '\(text)'"
        )
      }
      return seconds
    }
  }

  /// Returns a parser of durations in a range of whole seconds.
  static func wholeDuration(_ option: String, _ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    { text in
      guard let seconds = seconds(text).flatMap({ Int(exactly: $0) }), range.contains(seconds) else {
        throw InvalidValue(
          "'\(option)' takes a duration from \(range.lowerBound) to \(range.upperBound) whole seconds, such as 30, 90s or 10m, "
            + "not '\(text)'"
        )
      }
      return seconds
    }
  }

  /// Returns all words that a value can be, for help and errors.
  static func list<Value: CaseIterable & RawRepresentable<String>>(_: Value.Type) -> String {
    Value.allCases.map(\.rawValue).joined(separator: ", ")
  }

  /// Returns all words that a value can be, as a choice: `png, jpeg or webp`.
  static func choice<Value: CaseIterable & RawRepresentable<String>>(_: Value.Type) -> String {
    let words = Value.allCases.map(\.rawValue)
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Returns a value, or throws an error with the valid forms.
  static func value<Value>(_ value: Value?, of text: String, _ noun: String, _ forms: String) throws -> Value {
    guard let value else {
      throw InvalidValue(text.isEmpty ? "the value is empty: use \(forms)" : "'\(text)' is not \(noun): use \(forms)")
    }
    return value
  }

  /// Returns the message of the first line of a parser's error, without the parser's words around one of ours.
  static func message(in line: String) -> String {
    if let mark = line.firstIndex(of: InvalidValue.mark) { return String(line[line.index(after: mark)...]) }
    let text = line.hasPrefix("Error: ") ? line.dropFirst("Error: ".count) : line[...]
    if let choice = text.wholeMatch(
      of: /The value '(.*)' is invalid for '(-[^ ']*)[^']*'\. Please provide one of (.*)\./
    ) {
      let values = choice.3.replacing("'", with: "").replacing(" and ", with: " or ")
      return "'\(choice.1)' is not a value of '\(choice.2)': use \(values)"
    }
    if let argument = text.wholeMatch(of: /The value '' is invalid for '(.*)'/) {
      return "the value of '\(argument.1)' is empty"
    }
    // The parser's own messages are sentences.
    return text.prefix(1).lowercased() + text.dropFirst().replacing(". Did you mean", with: "; did you mean")
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

/// An option value that cannot be parsed.
///
/// The argument parser puts its own words and the value before the description. The mark shows
/// where the message begins.
struct InvalidValue: Error, CustomStringConvertible {
  fileprivate static let mark: Character = "\u{1}"

  let message: String

  init(_ message: String) { self.message = message }

  var description: String { "\(Self.mark)\(message)" }
}
