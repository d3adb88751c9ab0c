internal import Covers
internal import Glibc

/// Clips that are not recognised because their beginning is missing: the first part of a broken download or of a stream, or
/// the header of an MP4 file.
enum LostBeginning {
  /// The number of bytes that are searched at the start and at the end.
  private static let searchedBytes = 1 << 20

  /// Returns the failure of a clip that is not recognised, with another message if the beginning is missing.
  static func explain(_ failure: CoverFailure, of descriptor: Int32) -> CoverFailure {
    // The sandbox does not permit the call that stands for fstat() in C libraries.
    let position = lseek(descriptor, 0, SEEK_CUR)
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard position >= 0, size > 0, lseek(descriptor, position, SEEK_SET) == position else { return failure }
    let end = max(0, size - searchedBytes)
    guard hasParts(bytes(of: descriptor, at: 0)) || (end > 0 && hasParts(bytes(of: descriptor, at: end))) else {
      return failure
    }
    var failure = failure
    failure.message = "the beginning of the file is missing"
    failure.advice = "copy it again from where it was recorded"
    return failure
  }

  private static func bytes(of descriptor: Int32, at offset: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: searchedBytes) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, searchedBytes, off_t(offset)))
    }
  }

  /// Whether bytes contain a fragment or the index of a movie, or a cluster of Matroska or WebM.
  private static func hasParts(_ bytes: [UInt8]) -> Bool {
    has("moof", then: "mfhd", in: bytes) || has("moov", then: "mvhd", in: bytes) || hasCluster(bytes)
  }

  /// Whether bytes contain a box whose first box, after its size, has another type.
  private static func has(_ type: StaticString, then first: StaticString, in bytes: [UInt8]) -> Bool {
    contains([UInt8](type), in: bytes) { bytes[($0 + 4)...].dropFirst(4).starts(with: [UInt8](first)) }
  }

  /// Whether bytes contain a cluster, whose size is followed by its timestamp or, before that, a CRC-32 element.
  private static func hasCluster(_ bytes: [UInt8]) -> Bool {
    contains([0x1F, 0x43, 0xB6, 0x75], in: bytes) { place in
      let rest = bytes[(place + 4)...]
      guard let size = rest.first, size != 0 else { return false }
      let elements = rest.dropFirst(size.leadingZeroBitCount + 1)
      return elements.first == 0xE7 || (elements.starts(with: [0xBF, 0x84]) && elements.dropFirst(6).first == 0xE7)
    }
  }

  /// Whether a pattern occurs at a position that meets a condition.
  private static func contains(_ pattern: [UInt8], in bytes: [UInt8], where condition: (Int) -> Bool) -> Bool {
    var rest = bytes[...]
    while let found = rest.firstIndex(of: pattern[0]) {
      rest = rest[found...]
      if rest.starts(with: pattern), condition(found) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

extension [UInt8] {
  fileprivate init(_ text: StaticString) {
    self.init(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
