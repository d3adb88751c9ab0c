/// Recognition of HEIF pictures, which share their file format with MP4 (ISO/IEC 23008-12).
package enum PictureBrand {
  /// The number of bytes needed.
  package static let maximumBytes = 64

  /// Whether a file that starts with the given bytes is a HEIF picture, such as HEIC.
  ///
  /// AVIF pictures are not included, because they can be decoded like clips.
  ///
  /// - Parameters:
  ///   - start: The first bytes of the file, ``maximumBytes`` if it has so many.
  ///   - includesSequences: Whether to include picture sequences, which may have a video track.
  package static func isHEIF(_ start: [UInt8], includesSequences: Bool) -> Bool {
    guard start.count >= 12, Array(start[4..<8]) == Array("ftyp".utf8) else { return false }
    let size = start[..<4].reduce(0) { $0 << 8 | Int($1) }
    let brands = stride(from: 8, to: min(size, start.count) - 3, by: 4)
      .map { String(decoding: start[$0..<$0 + 4], as: UTF8.self) }
    guard let major = brands.first, !brands.contains("avif"), !brands.contains("avis") else { return false }
    return stills.contains(major) || includesSequences && sequences.contains(major)
  }

  private static let stills: Set<String> = [
    "heic", "heix", "heim", "heis", "mif1", "mif2", "miaf", "jpeg", "j2ki", "avci", "vvic", "1pic", "MiHB",
  ]
  private static let sequences: Set<String> = ["hevc", "hevx", "hevm", "hevs", "msf1", "avcs", "jpgs"]
}
