extension CoverFacts {
  /// The maximum length in bytes of the facts stored in a cover.
  package static let maximumTextBytes = 8192

  /// The facts as stored in a cover: JSON in ASCII, without the times of the stages, which differ from run to run.
  ///
  /// `nil` if they are longer than ``maximumTextBytes`` or contain a number that JSON cannot express; such a cover is
  /// stored without facts.
  package var text: CoverText? {
    var lasting = self
    lasting.milliseconds = nil
    guard let line = try? CanonicalJSON.line(lasting) else { return nil }
    let text = Self.ascii(line)
    return text.utf8.count <= Self.maximumTextBytes ? CoverText(.facts, text) : nil
  }

  /// Reads the facts stored in a cover.
  ///
  /// Fails unless ``text`` returns exactly the same text for the facts: a file can come from anywhere.
  package init?(text: String) {
    guard text.utf8.count <= Self.maximumTextBytes,
      let facts = try? CanonicalJSON.decode(Self.self, from: text.utf8), facts.text?.text == text
    else { return nil }
    self = facts
  }

  /// Returns JSON with all characters outside ASCII escaped; they occur only within its strings.
  private static func ascii(_ json: [UInt8]) -> String {
    let text = String(decoding: json, as: UTF8.self)
    guard !json.allSatisfy({ $0 < 0x7F }) else { return text }
    return text.utf16.reduce(into: "") { result, unit in
      if unit < 0x7F {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      } else {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }
}
