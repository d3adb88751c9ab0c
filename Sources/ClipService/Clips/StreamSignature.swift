/// Signs of a clip in a file that is too damaged or too short to be opened, in its first bytes.
///
/// They matter where other kinds of file have the same extension, or with `--all`.
package enum StreamSignature {
  /// The number of bytes needed.
  package static let maximumBytes = 64 * 1024

  /// Whether the bytes contain successive packets of an MPEG transport stream, at any offset.
  ///
  /// A text is not a transport stream, even one with the sync byte (`G`) in the same column of every line: it has no
  /// zeros.
  package static func isTransportStream(_ start: [UInt8]) -> Bool {
    let (sync, packets) = (UInt8(ascii: "G"), 4)
    guard start.contains(0) else { return false }
    return [188, 192, 204]
      .contains { size in
        let last = (packets - 1) * size
        return start.indices.dropLast(last)
          .contains { first in stride(from: first, through: first + last, by: size).allSatisfy { start[$0] == sync } }
      }
  }

  /// Whether a file that starts with the given bytes is an Ogg file with sound, but no video.
  ///
  /// The first page of every stream precedes all others, and names the codec.
  package static func isSoundInOgg(_ start: [UInt8]) -> Bool {
    let heads = start.prefix(4096)
    func has(_ names: [String]) -> Bool { names.contains { heads.firstRange(of: $0.utf8) != nil } }
    return heads.starts(with: "OggS".utf8) && has(["vorbis", "OpusHead", "Speex  ", "FLAC", "PCM     "])
      && !has(["theora", "video\0", "BBCD\0", "OVP80", "YUV4MPEG"])
  }
}
