import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Recordings of network streams lack the frames whose packets were lost.
///
/// FFmpeg replaces them by those before, without any warning.
/// The references are the numbers that the frames show.
@Suite("Missing frames of H.264")
struct MissingFrameTests {
  private static let coding = ["-c:v", "libx264", "-g", "25", "-keyint_min", "25", "-sc_threshold", "0"]

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func expect(_ clip: FilePath, at frame: Int, shows number: Int) async throws {
    let facts = try CoverExtractor.makeCover(
      of: clip,
      CoverRequest(time: .seconds((Double(frame) + 0.5) / 25)),
      in: scratch
    )
    let warning = "the frame at that time seems to be damaged; used the last intact one before it"
    #expect(facts.degradation == nil && facts.warnings == (frame == number ? [] : [warning]), "\(frame): \(facts)")
    #expect(abs((facts.actualTime ?? -1) - Double(number) / 25) < 0.001, "\(frame): \(facts)")
    #expect(try await NumberedFrames.number(ofPNG: scratch("cover.png")) == number, "\(frame): \(facts)")
  }

  @Test(
    "Behind a missing frame, no frame is intact before the next key frame",
    .enabled(if: Scope.isFull),
    arguments: ["mp4", "mkv", "ts"],
    ["0", "2"]
  )
  func missing(_ container: String, _ reordered: String) async throws {
    let (whole, clip) = (scratch("whole.\(container)"), scratch("missing.\(container)"))
    try await GeneratedClips.make(whole, NumberedFrames.source(seconds: 2) + Self.coding + ["-bf", reordered])
    // The first of two frames in a row that others are predicted from.
    let packets = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", whole.string]
    )
    let times = packets.text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
    let numbers = times.map { Int((($0 - (times.min() ?? 0)) * 25).rounded()) }
    let lost = try #require((10..<20).first { numbers[$0] > (numbers[..<$0].max() ?? 0) })
    try await GeneratedClips.make(
      clip,
      ["-copyts", "-i", whole.string, "-c", "copy", "-bsf:v", "noise=drop='eq(n,\(lost))'"]
    )
    let last = numbers[..<lost].max() ?? 0
    for number in [0, 3, last, 25, 40] { try await expect(clip, at: number, shows: number) }
    for number in [numbers[lost] + 1, 23] { try await expect(clip, at: number, shows: last) }
  }

  /// Whoever decodes some layers of a stream sees gaps between the numbers of its frames.
  @Test(
    "Gaps between frame numbers do not count as damage if the headers allow them",
    .enabled(if: Scope.isFull),
    arguments: ["mp4", "ts"]
  )
  func allowed(_ container: String) async throws {
    let (whole, clip) = (scratch("whole.h264"), scratch("gaps.\(container)"))
    try await GeneratedClips.make(whole, NumberedFrames.source(seconds: 2) + Self.coding + ["-bf", "0"])
    let marked = try scratch.write(try await allowGaps(in: whole), as: "marked.h264")
    try await GeneratedClips.make(scratch("all.mp4"), ["-r", "25", "-i", marked.string, "-c", "copy"])
    let drop = ["-c", "copy", "-bsf:v", "noise=drop='eq(n,12)'"]
    try await GeneratedClips.make(clip, ["-i", scratch("all.mp4").string] + drop)
    let facts = try CoverExtractor.makeCover(of: clip, CoverRequest(time: .seconds(0.9)), in: scratch)
    #expect(facts.degradation == nil && facts.warnings == [], "\(facts)")
    #expect(abs((facts.actualTime ?? 0) - 0.88) < 0.001, "\(facts)")
  }

  /// Returns the bytes of a raw stream, with the bit set that allows gaps; ffmpeg finds its place.
  private func allowGaps(in clip: FilePath) async throws -> [UInt8] {
    let trace = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-i", clip.string, "-c", "copy", "-bsf:v", "trace_headers", "-frames:v", "1", "-f", "null", "-"]
    )
    let line = try #require(trace.errorOutput.split(separator: "\n").first { $0.contains("gaps_in_frame_num_allowed") })
    let place = try #require(line.split(separator: "]").last?.split(separator: " ").first.flatMap { Int($0) })
    var bytes = try ScratchFolder.read(clip)
    let starts = bytes.indices.dropLast(16).filter { bytes[$0..<$0 + 4] == [0, 0, 1, 0x67] }
    try #require(!starts.isEmpty)
    for start in starts { bytes[start + 3 + place / 8] |= 0x80 >> UInt8(place % 8) }
    return bytes
  }
}
