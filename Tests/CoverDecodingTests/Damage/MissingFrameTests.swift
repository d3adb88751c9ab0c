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
    arguments: ["mp4", "ts"],
    [false, true]
  )
  func allowed(_ container: String, _ hasLists: Bool) async throws {
    let whole = scratch("whole.h264")
    try await GeneratedClips.make(whole, NumberedFrames.source(seconds: 2) + Self.coding + ["-bf", "0"])
    for allows in [true, false] {
      let marked = try scratch.write(
        try await rewritten(whole, allowsGaps: allows, hasLists: hasLists),
        as: "\(allows).h264"
      )
      let (all, clip) = (scratch("\(allows).mp4"), scratch("gaps-\(allows).\(container)"))
      let drop = ["-c", "copy", "-bsf:v", "noise=drop='eq(n,12)'"]
      try await GeneratedClips.make(all, ["-r", "25", "-i", marked.string, "-c", "copy"])
      try await GeneratedClips.make(clip, ["-i", all.string] + drop)
      let facts = try CoverExtractor.makeCover(of: clip, CoverRequest(time: .seconds(0.9)), in: scratch)
      #expect(facts.degradation == nil && facts.warnings.isEmpty == allows, "\(facts)")
      #expect(abs((facts.actualTime ?? 0) - (allows ? 0.88 : 0.44)) < 0.001, "\(facts)")
    }
  }

  /// Returns the bytes of a raw stream after changing its sequence parameter sets; ffmpeg finds the places.
  private func rewritten(_ clip: FilePath, allowsGaps: Bool, hasLists: Bool) async throws -> [UInt8] {
    let trace = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-i", clip.string, "-c", "copy", "-bsf:v", "trace_headers", "-frames:v", "1", "-f", "null", "-"]
    )
    func place(of field: String) throws -> Int {
      let line = try #require(trace.errorOutput.split(separator: "\n").first { $0.contains(field) })
      return try #require(line.split(separator: "]").last?.split(separator: " ").first.flatMap { Int($0) })
    }
    let places = (gaps: try place(of: "gaps_in_frame_num_allowed"), lists: try place(of: "seq_scaling_matrix_present"))
    var bytes = try ScratchFolder.read(clip)
    let starts = bytes.indices.dropLast(16).filter { bytes[$0..<$0 + 4] == [0, 0, 1, 0x67] }
    try #require(!starts.isEmpty)
    for start in starts.reversed().map({ $0 + 3 }) {
      let end = try #require(bytes.indices[start...].first { [[0, 0, 0], [0, 0, 1]].contains(bytes[$0..<$0 + 3]) })
      var bits = Self.bits(ofUnit: bytes[start..<end])
      bits[places.gaps] = allowsGaps
      if hasLists {
        bits[places.lists] = true
        bits.insert(contentsOf: Self.scalingLists, at: places.lists + 1)
      }
      bytes.replaceSubrange(start..<end, with: Self.unit(of: bits))
    }
    return bytes
  }

  /// Returns the bits of a NAL unit, without the 3 that escapes two zeros before a small byte.
  private static func bits(ofUnit unit: ArraySlice<UInt8>) -> [Bool] {
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if byte != 3 || zeros < 2 { bytes.append(byte) }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return bytes.flatMap { byte in (0..<8).map { byte & 0x80 >> $0 != 0 } }
  }

  private static func unit(of bits: [Bool]) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = (0..<8).reduce(UInt8(0)) { $0 << 1 | (start + $1 < bits.count && bits[start + $1] ? 1 : 0) }
      if byte <= 3, bytes.suffix(2) == [0, 0] { bytes.append(3) }
      bytes.append(byte)
    }
    return bytes
  }

  /// The scaling lists of a sequence parameter set (section 7.3.2.1.1.1): the default list, a list that repeats the one
  /// before, and others of 16.
  private static let scalingLists: [Bool] = {
    // They are coded as differences, the first from 8. A number of 0 stands for the default list.
    func plain(_ size: Int) -> String { "1" + "000010000" + String(repeating: "1", count: size - 1) }
    let lists = ["1" + "000010001", plain(16), "0"] + Array(repeating: plain(16), count: 3) + [plain(64), plain(64)]
    return lists.joined().map { $0 == "1" }
  }()
}
