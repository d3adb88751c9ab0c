import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Uses streams whose metadata (RPU) is written by hand from ETSI GS CCM 001.
///
/// Elementary streams contain the profile only in their frames.
@Suite("Dolby Vision in elementary streams")
struct DolbyVisionTests {
  private func cover(_ metadata: ReferenceProcessingUnit) async throws -> CoverFacts {
    let scratch = try ScratchFolder()
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", ProjectFolder.fixture("hdr10.mp4").string, "-c", "copy", "-frames:v", "1"]
        + [scratch("plain.hevc").string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let bytes = try ScratchFolder.read(scratch("plain.hevc")) + [0, 0, 0, 1] + metadata.unit
    return try CoverExtractor.makeCover(of: scratch.write(bytes, as: "clip.hevc"), in: scratch)
  }

  @Test("Full range without a compatible base layer is profile 5, and the cover is degraded")
  func profile5() async throws {
    let facts = try await cover(ReferenceProcessingUnit(profile: 0, isFullRange: true))
    #expect(facts.dolbyVisionProfile == 5)
    #expect(facts.degradation == .dolbyVisionWithoutBaseLayer)
    #expect(facts.warnings.contains { $0.contains("Dolby Vision (profile 5)") }, "\(facts.warnings)")
  }

  @Test("A base layer without an enhancement layer is profile 8", arguments: [true, false])
  func profile8(isFullRange: Bool) async throws {
    let facts = try await cover(ReferenceProcessingUnit(profile: 1, isFullRange: isFullRange))
    #expect(facts.dolbyVisionProfile == 8)
    #expect(facts.degradation == nil && facts.warnings == [])
  }

  @Test("Metadata of no known profile is ignored", arguments: [(0, false), (2, true)])
  func unknownProfile(profile: Int, isFullRange: Bool) async throws {
    let facts = try await cover(ReferenceProcessingUnit(profile: profile, isFullRange: isFullRange))
    #expect(facts.dolbyVisionProfile == nil)
    #expect(facts.degradation == nil && facts.warnings == [])
  }
}

/// The metadata of one frame: a mapping that changes nothing, and no enhancement layer.
private struct ReferenceProcessingUnit {
  /// The field `vdr_rpu_profile`: 0 without a compatible base layer, otherwise 1.
  let profile: Int
  /// The field `BL_video_full_range_flag`.
  let isFullRange: Bool

  /// The metadata as a NAL unit of HEVC of type 62, without a start code.
  var unit: [UInt8] {
    let body = self.body
    let checksum = bigEndian(Int(Self.checksum(body)))
    return [62 << 1, 1] + Self.escaped([25] + body + checksum + [0x80])
  }

  private var body: [UInt8] {
    var bits = Bits()
    // rpu_type, rpu_format, vdr_rpu_profile, vdr_rpu_level
    bits.add([(2, 6), (18, 11), (profile, 4), (0, 4)])
    // The sequence: fixed-point coefficients with 23 bits after the point.
    bits.add([(1, 1), (0, 1), (0, 2)])
    bits.addGolomb(23)
    bits.add([(1, 2), (isFullRange ? 1 : 0, 1)])
    // 10 bits in both layers and 12 in the result.
    for depth in [2, 2, 4] { bits.addGolomb(depth) }
    // Four fields that are 0, and disable_residual_flag.
    bits.add([(0, 1), (0, 3), (0, 1), (1, 1)])
    // With display management data, and without a reference to an earlier unit.
    bits.add([(1, 1), (0, 1)])
    for _ in 0..<3 { bits.addGolomb(0) }
    // Each component has one piece between two pivots.
    for _ in 0..<3 {
      bits.addGolomb(0)
      bits.add([(0, 10), (1023, 10)])
    }
    for _ in 0..<2 { bits.addGolomb(0) }
    // Each piece is a polynomial of order 1: 0 + 1 * x.
    for _ in 0..<3 {
      for _ in 0..<2 { bits.addGolomb(0) }
      bits.add([(0, 1)])
      bits.addGolomb(0)
      bits.add([(0, 23)])
      bits.addGolomb(1)
      bits.add([(0, 23)])
    }
    addDisplayManagement(to: &bits)
    return bits.bytes
  }

  /// Adds the data for display management: conversions that change nothing, and a display of 42 inches with 1000 cd/m².
  private func addDisplayManagement(to bits: inout Bits) {
    for number in [0, 0, 1] { bits.addGolomb(number) }
    let identity = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    bits.add(identity.map { ($0 << 13, 16) })
    bits.add([(0, 32), (0, 32), (0, 32)])
    bits.add(identity.map { ($0 << 14, 16) })
    // The transfer and its parameters; bit depth, colour space, chroma and range; darkest and brightest value, diagonal.
    bits.add([(65535, 16), (0, 16), (0, 16), (0, 32)])
    bits.add([(12, 5), (0, 2), (0, 2), (1, 2), (0, 12), (3079, 12), (42, 10)])
    bits.addGolomb(0)
  }

  /// The CRC-32 of MPEG-2.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31) * 0x04C1_1DB7 }
    }
  }

  /// Adds the bytes that keep a start code from occurring inside a unit.
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.reduce(into: []) { result, byte in
      if byte <= 3, result.suffix(2) == [0, 0] { result.append(3) }
      result.append(byte)
    }
  }
}

/// Bits, written from the most significant one.
private struct Bits {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  mutating func add(_ fields: [(value: Int, width: Int)]) {
    for (value, width) in fields {
      for shift in (0..<width).reversed() {
        if count % 8 == 0 { bytes.append(0) }
        bytes[count / 8] |= UInt8(value >> shift & 1) << (7 - count % 8)
        count += 1
      }
    }
  }

  /// Adds an unsigned Exp-Golomb code.
  mutating func addGolomb(_ value: Int) {
    let width = Int.bitWidth - (value + 1).leadingZeroBitCount
    add([(0, width - 1), (value + 1, width)])
  }
}
