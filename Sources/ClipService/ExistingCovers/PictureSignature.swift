internal import Covers

/// Distinguishes files that contain a single picture from clips, by their first bytes.
package enum PictureSignature {
  /// The number of bytes needed.
  package static let maximumBytes = PictureBrand.maximumBytes

  /// Whether a file that starts with the given bytes is a PNG, JPEG, WebP, BMP, TIFF, JPEG 2000 or HEIF file.
  package static func isPicture(_ start: [UInt8]) -> Bool {
    signatures.contains { start.starts(with: $0) }
      || start.starts(with: Array("RIFF".utf8)) && start.dropFirst(8).prefix(4).elementsEqual("WEBP".utf8)
      || PictureBrand.isHEIF(start, includesSequences: false)
  }

  /// Whether a file that starts with the given bytes is a GIF, which can be decoded like a clip.
  package static func isGIF(_ start: [UInt8]) -> Bool { start.starts(with: Array("GIF8".utf8)) }

  private static let signatures: [[UInt8]] = [
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
    [0xFF, 0xD8, 0xFF],
    Array("BM".utf8),
    Array("II*\0".utf8),
    Array("MM\0*".utf8),
    [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20],
  ]
}
