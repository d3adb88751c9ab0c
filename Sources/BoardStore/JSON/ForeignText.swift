/// Text that other programs and lost blocks make of a board's file, recognised by its first bytes.
enum ForeignText {
  /// UTF-16, with or without a byte order mark.
  case utf16(isBigEndian: Bool)
  /// A number of zero bytes, and then text.
  case zerosBeforeText(Int)

  /// Classifies a file; `nil` if it may be UTF-8 text or is anything else.
  init?(_ bytes: [UInt8]) {
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFF, 0xFE), (UInt8(ascii: "{"), 0): self = .utf16(isBigEndian: false)
    case (0xFE, 0xFF), (0, UInt8(ascii: "{")): self = .utf16(isBigEndian: true)
    default:
      guard let zeros = bytes.firstIndex(where: { $0 != 0 }), zeros > 0 else { return nil }
      self = .zerosBeforeText(zeros)
    }
  }

  /// What is wrong with the file.
  var problem: String {
    switch self {
    case .utf16: "it is UTF-16 text, not UTF-8"
    case .zerosBeforeText(let count): "it begins with \(count) zero bytes"
    }
  }

  /// Returns the text of a file as UTF-8, without a byte order mark and without zero bytes at either end.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    var text = bytes[...]
    if case .utf16(let isBigEndian) = ForeignText(bytes) {
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
        let (high, low) = isBigEndian ? (index, index + 1) : (index + 1, index)
        return UInt16(bytes[high]) << 8 | UInt16(bytes[low])
      }
      text = Array(String(decoding: units, as: UTF16.self).utf8)[...]
    }
    text = text.drop { $0 == 0 }
    while text.last == 0 { text.removeLast() }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return Array(text.starts(with: mark) ? text.dropFirst(mark.count) : text)
  }
}

extension ForeignFormat {
  /// Classifies a file by its first bytes; `nil` for any other format.
  init?(_ bytes: [UInt8]) {
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if first == UInt8(ascii: "<") {
      self = .markup
    } else {
      return nil
    }
  }
}
