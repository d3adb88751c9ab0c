internal import Covers

/// The texts that a file must have: those that were sent and the facts that were reported, then the decoder's own.
struct StoredTexts: Hashable, Sendable {
  /// The texts that were sent, in order.
  let sent: [CoverText]
  /// The text that states the reported facts; `nil` if the file must not have one.
  let facts: CoverText?

  /// Checks the texts of a file, each stored as a keyword, a separator and the text.
  func validate(_ found: [[UInt8]], separator: UInt8) throws(CoverFlaw) {
    let expected = sent + (facts.map { [$0] } ?? [])
    for (index, text) in expected.enumerated() {
      guard index < found.count, found[index] == Self.body(of: text, separator: separator) else {
        throw .text(text.keyword)
      }
    }
    var own = found.dropFirst(expected.count)
    for text in OwnText.all {
      let start = Array(text.keyword.rawValue.utf8) + [separator]
      guard let body = own.popFirst() else {
        if text.isOptional { return }
        throw .text(text.keyword)
      }
      guard body.starts(with: start), text.isValid(body[start.count...]) else { throw .text(text.keyword) }
    }
    guard own.isEmpty else { throw .unexpectedText }
  }

  /// The maximum length of the keywords and texts, with a separator and `overhead` bytes for each.
  func maximumBytes(overhead: Int) -> Int {
    let sent = sent.reduce(0) { $0 + Self.body(of: $1, separator: 0).count + overhead }
    let facts = CoverText.Keyword.facts.rawValue.utf8.count + 1 + CoverFacts.maximumTextBytes + overhead
    return OwnText.all.reduce(sent + facts) { $0 + $1.maximumBytes + 1 + overhead }
  }

  private static func body(of text: CoverText, separator: UInt8) -> [UInt8] {
    Array(text.keyword.rawValue.utf8) + [separator] + Array(text.text.utf8)
  }
}

/// A text that the decoder adds, because only the decoder has read the clip.
enum OwnText: CaseIterable {
  case mimeType, software, movieLength

  /// The texts in the order that the decoder adds them in.
  static var all: [OwnText] { allCases }

  /// The maximum length of a `type/subtype`, far more than any clip needs.
  private static let maximumTypeBytes = 100
  /// The maximum number of digits of a duration: less than 10¹⁵ seconds, rounded.
  private static let maximumDigits = 16

  private static let softwareBytes = Array("ClipCanvas \(ClipCanvasVersion.current)".utf8)

  var keyword: CoverText.Keyword {
    switch self {
    case .mimeType: .mimeType
    case .software: .software
    case .movieLength: .movieLength
    }
  }

  /// Whether a cover may lack the text.
  var isOptional: Bool { self == .movieLength }

  /// The maximum length, including the keyword.
  var maximumBytes: Int {
    let text =
      switch self {
      case .mimeType: Self.maximumTypeBytes
      case .software: Self.softwareBytes.count
      case .movieLength: Self.maximumDigits
      }
    return keyword.rawValue.utf8.count + text
  }

  func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .mimeType: Self.isMIMEType(text)
    case .software: text == Self.softwareBytes[...]
    case .movieLength: (1...Self.maximumDigits).contains(text.count) && text.allSatisfy(Self.isDigit)
    }
  }

  /// Whether a text is a MIME type (RFC 6838, section 4.2).
  private static func isMIMEType(_ text: ArraySlice<UInt8>) -> Bool {
    let names = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return text.count <= maximumTypeBytes && names.count == 2
      && names.allSatisfy { name in
        !name.isEmpty && name.allSatisfy { isLetter($0) || isDigit($0) || "!#$&-^_.+".utf8.contains($0) }
      }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
}
