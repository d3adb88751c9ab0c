internal import Covers
internal import Glibc

/// FLV whose video has a codec that older versions of FFmpeg do not know in FLV.
enum EnhancedFLV {
  /// The number of bytes that are searched for the first frame.
  private static let searchedBytes = 1 << 16

  /// Codecs by their code in an extended header, which FFmpeg 6.1 reads.
  private static let codecs = ["hvc1": "HEVC", "av01": "AV1", "vp09": "VP9"]
  /// The version of libavformat in FFmpeg 6.1.
  private static let firstVersion = [60, 16]
  /// The number that some programs give HEVC; no version of FFmpeg reads it.
  private static let numberOfHEVC: UInt8 = 12

  /// Returns the failure of a clip, with another message if such a codec explains it.
  ///
  /// Older versions of FFmpeg mistake the kind of a packet for the number of the codec.
  static func explain(_ failure: CoverFailure, of descriptor: Int32) -> CoverFailure {
    guard failure.stage == .openDecoder || failure.stage == .decode, failure.mayNeedFullProbe,
      let tag = firstVideoTag(of: descriptor), let head = tag.first
    else { return failure }
    var failure = failure
    let version = (Libraries.versions["libavformat"] ?? "").split(separator: ".").compactMap { Int($0) }
    if head & 0x80 != 0, version.lexicographicallyPrecedes(firstVersion),
      let codec = codecs[String(decoding: tag.dropFirst().prefix(4), as: UTF8.self)]
    {
      failure.message = "the installed FFmpeg cannot read \(codec) in FLV"
      failure.cause = .unsupportedCodec
      failure.advice = "use FFmpeg 6.1 or later"
    } else if head & 0x8F == numberOfHEVC {
      failure.message = "its video is HEVC with the number 12, which FFmpeg does not read in FLV"
      failure.advice = "record it in another container, or with Enhanced RTMP"
    }
    return failure
  }

  /// Returns the start of the first tag with video; `nil` if the file is not FLV or has none.
  private static func firstVideoTag(of descriptor: Int32) -> ArraySlice<UInt8>? {
    let bytes = [UInt8](unsafeUninitializedCapacity: searchedBytes) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, searchedBytes, 0))
    }
    guard bytes.starts(with: Array("FLV".utf8)), bytes.count > 9 else { return nil }
    // Each tag has a header of 11 bytes and is followed by its size.
    var rest = bytes.dropFirst(number(bytes[5..<9]) + 4)
    while rest.count > 11, let type = rest.first {
      if type & 0x1F == 9 { return rest.dropFirst(11) }
      rest = rest.dropFirst(11 + number(rest.dropFirst().prefix(3)) + 4)
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
