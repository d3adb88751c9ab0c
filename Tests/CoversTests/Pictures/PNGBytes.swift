import TestSupport

/// A PNG file written by hand from the specification: the signature, and chunks with a length, a type, data and a
/// checksum.
struct PNGBytes {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  var bytes = Self.signature

  /// Creates a file with the header of an RGB picture with 8 bits per channel.
  static func header(width: Int = 320, height: Int = 240) -> PNGBytes {
    PNGBytes().chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0])
  }

  func chunk(_ type: String, _ data: [UInt8]) -> PNGBytes {
    let body = Array(type.utf8) + data
    return raw(bigEndian(data.count) + body + bigEndian(crc32(body)))
  }

  func text(_ keyword: String, _ text: String) -> PNGBytes {
    chunk("tEXt", Array(keyword.utf8) + [0] + Array(text.utf8))
  }

  /// Adds pixels, which are not examined when the head is read.
  func pixels() -> PNGBytes { chunk("IDAT", [1, 2, 3]) }

  func raw(_ more: [UInt8]) -> PNGBytes { PNGBytes(bytes: bytes + more) }
}
