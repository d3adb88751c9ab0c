import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Transport streams with wrong sizes written by a multiplexer.
@Suite("Wrong sizes in transport streams")
struct WrongSizeTests {
  private static let packetBytes = 188

  /// Makes a stream of numbered frames whose video PES packets declare too large a length.
  private func makeStream(_ encoder: [String], in scratch: ScratchFolder) async throws -> [UInt8] {
    let source = NumberedFrames.source(seconds: 2) + ["-f", "lavfi", "-i", "sine=d=2"]
    try await GeneratedClips.make(scratch("whole.ts"), source + encoder + ["-g", "25", "-c:a", "aac"])
    var bytes = try ScratchFolder.read(scratch("whole.ts"))
    var changed = 0
    for (packet, start) in Self.starts(in: bytes) {
      bytes.replaceSubrange(start + 4..<start + 6, with: [0xff, 0x00])
      changed += 1
      try #require(packet % Self.packetBytes == 0)
    }
    try #require(changed >= 50)
    return bytes
  }

  /// The packets of the stream that contain the start of a video PES packet, and its position.
  private static func starts(in bytes: [UInt8]) -> [(packet: Int, start: Int)] {
    stride(from: 0, to: bytes.count, by: packetBytes).compactMap { packet in
      let hasField = bytes[packet + 3] & 0x20 != 0
      let start = packet + 4 + (hasField ? 1 + Int(bytes[packet + 4]) : 0)
      let isVideo = start + 6 <= packet + packetBytes && Array(bytes[start..<start + 4]) == [0, 0, 1, 0xe0]
      return bytes[packet + 1] & 0x40 != 0 && isVideo ? (packet, start) : nil
    }
  }

  @Test(
    "An intact stream has intact covers, although every packet has a wrong size",
    .enabled(if: Scope.isFull),
    arguments: [
      ["-c:v", "libx264", "-sc_threshold", "0"], ["-c:v", "libx265", "-x265-params", "log-level=none"],
      ["-c:v", "mpeg2video"],
    ],
    [("first", 0), ("0.61", 15), ("50%", 25), ("key:1.5", 25), ("100%", 49)]
  )
  func intact(_ encoder: [String], _ place: (time: String, number: Int)) async throws {
    let scratch = try ScratchFolder()
    let clip = try scratch.write(try await makeStream(encoder, in: scratch), as: "clip.ts")
    var request = CoverRequest()
    request.time = try #require(RequestedTime(place.time))
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    let shown = try await NumberedFrames.number(ofPNG: scratch("cover.png"))
    #expect(shown == place.number && facts.degradation == nil && facts.warnings.isEmpty, "\(shown), \(facts)")
  }

  @Test("Where bytes are missing, a packet is damaged nevertheless", arguments: ["libx264", "mpeg2video"])
  func damaged(_ encoder: String) async throws {
    let scratch = try ScratchFolder()
    let source = [
      "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=2", "-pix_fmt", "yuv420p", "-c:v", encoder, "-g", "25",
    ]
    try await GeneratedClips.make(scratch("whole.ts"), source)
    var bytes = try ScratchFolder.read(scratch("whole.ts"))
    let starts = Self.starts(in: bytes)
    for (_, start) in starts { bytes.replaceSubrange(start + 4..<start + 6, with: [0xff, 0x00]) }
    // A packet in the middle of the first picture.
    let lost = (starts[0].packet / Self.packetBytes + starts[1].packet / Self.packetBytes) / 2 * Self.packetBytes
    try #require(lost > starts[0].packet && lost < starts[1].packet)
    bytes.removeSubrange(lost..<lost + Self.packetBytes)
    let facts = try CoverExtractor.makeCover(of: try scratch.write(bytes, as: "clip.ts"), in: scratch)
    #expect(facts.degradation != nil || facts.actualTime ?? 0 >= 0.9, "\(facts)")
  }
}
