/// Signs of a clip in a file that is too damaged or too short to be opened, in its first bytes.
///
/// They matter where other kinds of file have the same extension, or with `--all`.
package enum StreamSignature {
  /// The number of bytes needed.
  package static let maximumBytes = 64 * 1024

  /// Whether the bytes are mostly packets of an MPEG transport stream, which may begin at any offset.
  ///
  /// The sync byte (`G`) is also in the same column of some lines of texts and of some rows of tables, such as those of a
  /// program: half of the packets must begin with it, and with different headers, because packets are counted. A text has
  /// no zeros.
  package static func isTransportStream(_ start: [UInt8]) -> Bool {
    let (sync, leastPackets, headerBytes) = (UInt8(ascii: "G"), 4, 4)
    guard start.contains(0) else { return false }
    return [188, 192, 204]
      .contains { size in
        (0..<size)
          .contains { offset in
            let packets = Array(stride(from: offset, through: start.count - headerBytes, by: size))
            let synced = packets.filter { start[$0] == sync }
            return synced.count >= max(leastPackets, packets.count / 2)
              && Set(synced.map { start[$0..<$0 + headerBytes] }).count > 1
          }
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
