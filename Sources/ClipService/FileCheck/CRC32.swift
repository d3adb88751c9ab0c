internal import CDeflate

/// The checksum of PNG chunks.
///
/// A check reads every byte, and zlib's function takes two and a half times as long as that of libdeflate.
enum CRC32 {
  static func of(_ bytes: Span<UInt8>) -> UInt32 {
    bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
  }
}
