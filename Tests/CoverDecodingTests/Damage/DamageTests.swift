import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Covers of clips that are damaged at the start.
///
/// Each clip has a key frame every 10 frames.
@Suite("Covers of damaged clips")
struct DamageTests {
  /// A way to make a clip, and how much of its first key frame to replace.
  struct Example: CustomTestStringConvertible, Sendable {
    let container: String
    let encoder: [String]
    /// The byte that replaces the rest of the key frame.
    var filler: UInt8 = 0x55
    /// Whether every frame is a key frame.
    var isIntraOnly: Bool { ["mjpeg", "huffyuv", "ffvhuff", "ffv1"].contains(encoder[0]) }
    var pixels: String { ["mjpeg": "yuvj420p", "huffyuv": "yuv422p"][encoder[0]] ?? "yuv420p" }
    var testDescription: String { "\(encoder[0]) in \(container)" }
  }

  /// Options that keep FFmpeg's own encoders from adding key frames.
  private static let steady = ["-sc_threshold", "1000000000"]
  private static let x265 = ["libx265", "-preset", "ultrafast", "-x265-params"]
  static let examples = [
    Example(container: "mp4", encoder: ["libx264", "-g", "10", "-sc_threshold", "0", "-bf", "2"]),
    Example(container: "avi", encoder: ["mpeg4", "-g", "10"] + steady),
    Example(container: "mov", encoder: ["mpeg2video", "-g", "10", "-bf", "2"] + steady),
    Example(container: "mkv", encoder: x265 + ["log-level=error:keyint=10:min-keyint=10:open-gop=0"], filler: 0),
    Example(container: "avi", encoder: ["msmpeg4", "-g", "10"] + steady),
    Example(container: "flv", encoder: ["flv", "-g", "10"] + steady),
    Example(container: "webm", encoder: ["libvpx-vp9", "-g", "10", "-b:v", "2M", "-deadline", "realtime"], filler: 0),
    Example(container: "mov", encoder: ["mjpeg", "-q:v", "8"], filler: 0),
    Example(container: "avi", encoder: ["mjpeg"]),
    Example(container: "avi", encoder: ["huffyuv"], filler: 0),
    Example(container: "mkv", encoder: ["ffvhuff"], filler: 0),
    Example(container: "nut", encoder: ["ffv1", "-level", "1", "-g", "1"], filler: 0),
  ]

  private let scratch: ScratchFolder
  init() throws { scratch = try ScratchFolder() }

  /// Makes a clip of 20 frames with a picture that changes everywhere.
  private func makeClip(_ example: Example, frames: Int = 20) async throws -> FilePath {
    let path = scratch("whole.\(example.container)")
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25,hue=h=20*n"]
        + ["-frames:v", "\(frames)", "-pix_fmt", example.pixels]
        + ["-threads", "1", "-c:v"] + example.encoder + [path.string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return path
  }

  /// Returns the position of the first packet in the file, and its size.
  private func firstPacket(_ clip: FilePath) async throws -> Range<Int> {
    let result = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", "-read_intervals", "%+#1", clip.string]
    )
    let numbers = result.text.split(whereSeparator: { $0 == "," || $0 == "\n" }).compactMap { Int($0) }
    // A raw stream has no positions.
    let size = try #require(numbers.first, "\(result.text)")
    let position = numbers.dropFirst().first ?? 0
    return position..<position + size
  }

  /// Writes a copy of the clip; the second half of its first packet consists of one repeated byte.
  private func damage(_ clip: FilePath, filler: UInt8) async throws -> FilePath {
    var bytes = try ScratchFolder.read(clip)
    let packet = try await firstPacket(clip)
    for index in packet.lowerBound + packet.count / 2..<packet.upperBound { bytes[index] = filler }
    return try scratch.write(bytes, as: "damaged.\(clip.extension ?? "")")
  }

  private func cover(_ clip: FilePath, at time: RequestedTime = .first) throws -> CoverFacts {
    try CoverExtractor.makeCover(of: clip, CoverRequest(time: time), in: scratch)
  }

  /// Writes a copy of the clip with bytes inserted in the middle of the first packet, or missing there.
  private func shift(_ clip: FilePath, by bytes: Int) async throws -> FilePath {
    var damaged = try ScratchFolder.read(clip)
    let packet = try await firstPacket(clip)
    let middle = packet.lowerBound + packet.count / 2
    let inserted = (0..<max(bytes, 0)).map { UInt8($0 * 37 % 251) }
    damaged.replaceSubrange(middle..<middle + max(-bytes, 0), with: inserted)
    return try scratch.write(damaged, as: "shifted.\(clip.extension ?? "")")
  }

  /// Returns how far the last cover is from the frame of the undamaged clip at its time.
  private func difference(from clip: FilePath, at facts: CoverFacts) async throws -> PixelDifference {
    let frame = Int((try #require(facts.actualTime) * 25).rounded())
    let ours = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    return try #require(PixelDifference(ours, try await Oracle.cover(of: clip, frame: frame)))
  }

  @Test(
    "After a damaged key frame, the cover is the next intact key frame",
    .enabled(if: Scope.isFull),
    arguments: examples
  )
  func nextKeyFrame(_ example: Example) async throws {
    let clip = try await makeClip(example)
    let facts = try cover(try await damage(clip, filler: example.filler))
    #expect(facts.degradation == nil)
    // With B-frames, the distance of key frames varies a little.
    let frames = example.isIntraOnly ? 1...1 : 9...13
    #expect(frames.contains(Int(((facts.actualTime ?? 0) * 25).rounded())), "\(facts.actualTime ?? 0) s")
    let found = try await difference(from: clip, at: facts)
    #expect(found.decibels > 40, "\(found)")
  }

  @Test(
    "Without an intact key frame, the cover is degraded",
    .enabled(if: Scope.isFull),
    arguments: examples.filter { !$0.isIntraOnly }
  )
  func noKeyFrame(_ example: Example) async throws {
    let clip = try await makeClip(example, frames: 9)
    let facts = try cover(try await damage(clip, filler: example.filler))
    #expect(facts.degradation == .corruptFrame)
  }

  @Test(
    "A picture with one damaged field is not intact",
    .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence))
  )
  func field() throws {
    var bytes = try ScratchFolder.read(SharedClips.path("valid/odd_name/Sony ILCE-7M3 (A7M3).mts"))
    bytes.replaceSubrange(182_390..<182_394, with: [0x55, 0x55, 0x55, 0x55])
    #expect(try cover(try scratch.write(bytes, as: "field.mts")).degradation == .corruptFrame)
  }

  @Test(
    "Where all frames are predicted, the frame at a time is degraded",
    .enabled(if: Scope.isFull),
    arguments: [
      Example(container: "mkv", encoder: ["mpeg4", "-g", "1000", "-bf", "2"]),
      Example(container: "mkv", encoder: x265 + ["log-level=error:keyint=1000"]),
      Example(container: "wmv", encoder: ["wmv2", "-g", "1000"]),
      Example(container: "flv", encoder: ["flv", "-g", "1000"]),
      Example(container: "mkv", encoder: ["libtheora", "-g", "1000"]),
    ],
    [0.2, 0.6]
  )
  func noKeyFrame(_ example: Example, _ time: Double) async throws {
    let (clip, cut) = (try await makeClip(example), scratch("cut.\(example.container)"))
    let result = try await Program.runTool(
      "ffmpeg",
      [
        "-nostdin", "-v", "quiet", "-i", clip.string, "-c", "copy", "-copyts", "-bsf:v", "noise=drop=lt(n\\,1)",
        cut.string,
      ]
    )
    try #require(result.exitStatus == 0)
    #expect(try cover(cut, at: .seconds(time)).degradation == .corruptFrame)
  }

  @Test(
    "A frame at a time is never predicted from a damaged one",
    .enabled(if: Scope.isFull),
    arguments: examples.filter { $0.testDescription != "mjpeg in avi" },
    [0.2, 0.6]
  )
  func seeking(_ example: Example, _ time: Double) async throws {
    let clip = try await makeClip(example)
    let facts = try cover(try await damage(clip, filler: example.filler), at: .seconds(time))
    #expect(facts.degradation == nil)
    #expect(try await difference(from: clip, at: facts).decibels > 40, "at \(facts.actualTime ?? 0) s")
  }

  @Test(
    "Zeroes inside a picture of a raw stream are damage",
    .enabled(if: Scope.isFull),
    arguments: [
      Example(container: "h264", encoder: ["libx264", "-g", "10", "-sc_threshold", "0", "-bf", "2"]),
      Example(container: "hevc", encoder: x265 + ["log-level=error:keyint=10:min-keyint=10:open-gop=0"]),
    ]
  )
  func hole(_ example: Example) async throws {
    let clip = try await makeClip(example)
    let size = try await firstPacket(clip).count
    var bytes = try ScratchFolder.read(clip)
    for index in size * 2 / 5..<size * 3 / 5 { bytes[index] = 0 }
    let damaged = try scratch.write(bytes, as: "hole.\(example.container)")
    for time in [RequestedTime.first, .seconds(0)] {
      let facts = try cover(damaged, at: time)
      #expect(facts.degradation == nil && (0.36...0.52).contains(facts.actualTime ?? 0), "\(facts.actualTime ?? 0) s")
      #expect(try await difference(from: clip, at: facts).decibels > 40)
    }
  }

  @Test(
    "If only the second frame is damaged, the first is the cover",
    .enabled(if: Scope.isFull),
    arguments: examples.prefix(6)
  )
  func laterDamage(_ example: Example) async throws {
    let clip = try await makeClip(example)
    let end = try await firstPacket(clip).upperBound
    var bytes = try ScratchFolder.read(clip)
    for index in end + 40..<end + 400 { bytes[index] = example.filler }
    let facts = try cover(try scratch.write(bytes, as: "later.\(example.container)"))
    #expect(facts.degradation == nil && facts.actualTime == 0)
    #expect(try await difference(from: clip, at: facts).decibels > 40)
  }

  private static let front = ["-movflags", "faststart"]

  @Test(
    "A clip cut inside its first frame has no intact cover if zeros follow",
    .enabled(if: Scope.isFull),
    arguments: [
      Example(container: "mkv", encoder: ["libtheora", "-g", "10"]), Example(container: "avi", encoder: ["utvideo"]),
      Example(container: "avi", encoder: ["rawvideo"]), Example(container: "mov", encoder: ["qtrle"] + front),
      Example(container: "mov", encoder: ["cinepak"] + front), Example(container: "mov", encoder: ["png"] + front),
      Example(container: "apng", encoder: ["apng"]), Example(container: "y4m", encoder: ["wrapped_avframe"]),
      Example(container: "hevc", encoder: x265 + ["log-level=error:keyint=10:open-gop=0"]),
    ],
    [0.5, 0.9]
  )
  func zerosFollow(_ example: Example, _ share: Double) async throws {
    let clip = try await makeClip(example)
    let bytes = try ScratchFolder.read(clip)
    let packet = try await firstPacket(clip)
    let end = packet.lowerBound + Int(Double(packet.count) * share)
    let zeros = [UInt8](repeating: 0, count: bytes.count - end)
    let path = try scratch.write(bytes.prefix(end) + zeros, as: "cut.\(example.container)")
    for time in [RequestedTime.first, .seconds(0)] {
      do {
        #expect(try cover(path, at: time).degradation == .corruptFrame, "\(time)")
      } catch let failure as CoverFailure {
        #expect(failure.isIncomplete == ["mkv", "avi", "mov"].contains(example.container), "\(failure)")
      }
    }
  }

  @Test(
    "Black pictures that are not compressed are intact, and so is the last frame before zeros",
    .enabled(if: Scope.isFull),
    arguments: [
      ("avi", ["rawvideo", "-pix_fmt", "bgr24"]), ("mov", ["rawvideo", "-pix_fmt", "rgb24"] + front),
      ("mkv", ["rawvideo", "-pix_fmt", "bgr24", "-allow_raw_vfw", "1"]),
      ("nut", ["rawvideo", "-pix_fmt", "rgb24"]), ("avi", ["huffyuv"]), ("mov", ["png", "-pred", "none"] + front),
    ]
  )
  func black(_ container: String, _ encoder: [String]) async throws {
    let clip = scratch("black.\(container)")
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "color=black:s=160x120:r=25", "-frames:v", "3", "-c:v"] + encoder
    )
    let zeros = [UInt8](repeating: 0, count: 3000)
    let longer = try scratch.write(try ScratchFolder.read(clip) + zeros, as: "longer.\(container)")
    for path in [clip, longer] {
      for time in [RequestedTime.first, .seconds(0.08), .frame(at: .percent(100))] {
        #expect(try cover(path, at: time).degradation == nil, "\(path) \(time)")
      }
    }
  }

  @Test(
    "Zeroes inside a frame of DV are damage",
    .enabled(if: Scope.isFull),
    arguments: ["avi", "mov", "dv"],
    [RequestedTime.first, .seconds(0)]
  )
  func digitalVideo(_ container: String, _ time: RequestedTime) async throws {
    let clip = try await makeClip(Example(container: container, encoder: ["dvvideo", "-s", "720x576"]))
    #expect(try cover(clip, at: time).degradation == nil)
    var bytes = try ScratchFolder.read(clip)
    let packet = try await firstPacket(clip)
    // The decoder reports holes that are smaller.
    let middle = packet.lowerBound + packet.count / 2
    for index in middle..<middle + packet.count / 4 { bytes[index] = 0 }
    let facts = try cover(try scratch.write(bytes, as: "damaged.\(container)"), at: time)
    #expect(facts.degradation == nil && facts.actualTime == 0.04, "\(facts)")
  }

  @Test("A part of Ut Video that cannot be decoded to its end is damaged", .enabled(if: Scope.isFull))
  func utVideo() async throws {
    let clip = try await makeClip(Example(container: "avi", encoder: ["utvideo"]))
    var bytes = try ScratchFolder.read(clip)
    let packet = try await firstPacket(clip)
    for index in packet.lowerBound + packet.count / 2..<packet.lowerBound + packet.count / 2 + 64 { bytes[index] = 255 }
    let facts = try cover(try scratch.write(bytes, as: "damaged.avi"))
    #expect(facts.degradation == nil && facts.actualTime == 0.04)
  }

  @Test("A JPEG picture without an end marker is damaged only if others have it", .enabled(if: Scope.isFull))
  func endMarker() async throws {
    let clip = try await makeClip(Example(container: "avi", encoder: ["mjpeg"]))
    let bytes = try ScratchFolder.read(clip)
    var (shifted, unmarked) = (bytes, bytes)
    let packet = try await firstPacket(clip)
    shifted.insert(contentsOf: [0x55, 0x55], at: packet.lowerBound + packet.count / 2)
    for time in [RequestedTime.first, .seconds(0)] {
      let facts = try cover(try scratch.write(shifted, as: "shifted.avi"), at: time)
      #expect(facts.degradation == nil && facts.actualTime == 0.04, "\(time)")
    }
    for index in bytes.indices.dropLast() where bytes[index] == 0xFF && bytes[index + 1] == 0xD9 {
      unmarked.replaceSubrange(index...index + 1, with: [0, 0])
    }
    let facts = try cover(try scratch.write(unmarked, as: "unmarked.avi"))
    #expect(facts.degradation == nil && facts.actualTime == 0)
    #expect(try await difference(from: clip, at: facts).decibels > 40)
  }

  @Test(
    "Headers that Ogg returns as frames are not decoded",
    .enabled(if: Scope.isFull),
    arguments: [RequestedTime.frame(at: .percent(50)), .seconds(9)]
  )
  func headers(_ time: RequestedTime) async throws {
    let clip = scratch("whole.ogv")
    let sources = ["testsrc2=s=320x240:r=25", "sine"].flatMap { ["-f", "lavfi", "-i", $0] }
    try await GeneratedClips.make(clip, sources + ["-t", "1.2", "-c:v", "libtheora", "-g", "10", "-c:a", "libvorbis"])
    // The duration of the clip is then too long, and the seek ends after the last page.
    let zeros = [UInt8](repeating: 0, count: 200_000)
    let facts = try cover(try scratch.write(try ScratchFolder.read(clip) + zeros, as: "zeros.ogv"), at: time)
    #expect(facts.degradation == nil)
    #expect(try await difference(from: clip, at: facts).decibels > 40, "at \(facts.actualTime ?? 0) s")
  }

  /// Clips in containers that find each packet where the one before it ends.
  static let chained = [
    Example(container: "webm", encoder: ["libvpx", "-g", "10", "-b:v", "2M", "-deadline", "realtime"]),
    Example(container: "webm", encoder: ["libvpx-vp9", "-g", "10", "-b:v", "2M", "-deadline", "realtime"]),
    Example(container: "mkv", encoder: ["libtheora", "-g", "10"]),
    Example(container: "mkv", encoder: ["huffyuv"]),
    Example(container: "y4m", encoder: ["wrapped_avframe"]),
  ]

  @Test(
    "A frame with missing or inserted bytes is damaged",
    .enabled(if: Scope.isFull),
    arguments: chained,
    [-64, -1, 100]
  )
  func shifted(_ example: Example, _ bytes: Int) async throws {
    let clip = try await makeClip(example)
    let path = try await shift(clip, by: bytes)
    for time in [RequestedTime.first, .seconds(0), .keyFrame(before: .seconds(0))] {
      let facts = try cover(path, at: time)
      // Behind such a place, only the packets of Matroska are found again.
      guard example.container == "webm" || example.container == "mkv" else {
        #expect(facts.degradation == .corruptFrame, "\(time)")
        continue
      }
      #expect(facts.degradation != nil || facts.actualTime ?? 0 > 0, "\(time): \(facts.actualTime ?? 0) s")
      guard facts.degradation == nil else { continue }
      #expect(try await difference(from: clip, at: facts).decibels > 40, "\(time): \(facts.actualTime ?? 0) s")
    }
  }

  @Test(
    "A few zeros in arithmetic-coded data are a hole",
    .enabled(if: Scope.isFull),
    arguments: [
      (Example(container: "webm", encoder: ["libvpx", "-g", "10", "-b:v", "2M", "-deadline", "realtime"]), 70),
      (Example(container: "webm", encoder: ["libvpx-vp9", "-g", "10", "-b:v", "2M", "-deadline", "realtime"]), 40),
      (Example(container: "mkv", encoder: av1), 60),
    ]
  )
  func smallHole(_ example: Example, _ count: Int) async throws {
    let clip = try await makeClip(example)
    var bytes = try ScratchFolder.read(clip)
    let packet = try await firstPacket(clip)
    let start = packet.lowerBound + packet.count / 2
    bytes.replaceSubrange(start..<start + count, with: [UInt8](repeating: 0, count: count))
    let facts = try cover(try scratch.write(bytes, as: "hole.\(example.container)"))
    #expect(facts.degradation == nil && facts.actualTime == 0.4, "\(facts.actualTime ?? 0) s")
    #expect(try await difference(from: clip, at: facts).decibels > 40)
  }

  @Test("Zeros after a slice are a hole if they are too many to fill it up", arguments: [127, 128])
  func filledSlice(_ count: Int) async throws {
    let clip = try await makeClip(Example(container: "mp4", encoder: ["libx264"]), frames: 1)
    var bytes = try ScratchFolder.read(clip)
    let packet = try await firstPacket(clip)
    func size(at place: Int) -> Int { bytes[place..<place + 4].bigEndian }
    func add(at place: Int) { bytes.replaceSubrange(place..<place + 4, with: bigEndian(size(at: place) + count)) }
    // The slice is the last unit of the packet. Of one packet, the size is stated in the header of the table of sizes.
    var unit = packet.lowerBound
    while unit + 4 + size(at: unit) < packet.upperBound { unit += 4 + size(at: unit) }
    add(at: unit)
    add(at: try #require(bytes.firstRange(of: Array("mdat".utf8))).lowerBound - 4)
    add(at: try #require(bytes.firstRange(of: Array("stsz".utf8))).upperBound + 4)
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: count), at: packet.upperBound)
    let facts = try cover(try scratch.write(bytes, as: "filled.mp4"))
    #expect((facts.degradation == nil) == (count < 128), "\(facts)")
  }

  /// SVT-AV1 states a sequence header in front of each key frame.
  private static let av1 = ["libsvtav1", "-preset", "10", "-crf", "40", "-g", "10"]

  // The decoder ignores the bit; the parser does not.
  @Test("What only the parser of AV1 reports is damage", .enabled(if: Scope.isFull), arguments: ["ivf", "mkv", "mp4"])
  func parserReport(_ container: String) async throws {
    let clip = try await makeClip(Example(container: container, encoder: Self.av1))
    #expect(try cover(clip).degradation == nil)
    #expect(try cover(clip).actualTime == 0)
    var bytes = try ScratchFolder.read(clip)
    let packet = try await firstPacket(clip)
    // The unit of the frame follows that of the sequence header.
    let header = try #require(bytes[packet].firstRange(of: [0x0A])).lowerBound
    let frame = header + 2 + Int(bytes[header + 1])
    try #require(bytes[frame] == 0x32)
    bytes[frame] ^= 0x80  // obu_forbidden_bit
    let damaged = try scratch.write(bytes, as: "bit.\(container)")
    for time in [RequestedTime.first, .seconds(0)] {
      let facts = try cover(damaged, at: time)
      #expect(facts.degradation == nil && facts.actualTime == 0.4, "\(time): \(facts.actualTime ?? 0) s")
      #expect(try await difference(from: clip, at: facts).decibels > 40)
    }
  }

  @Test(
    "A frame of a GIF that exceeds the screen is cut, and not damaged",
    arguments: [(100, 120), (160, 80), (100, 80)]
  )
  func frameBeyondScreen(width: Int, height: Int) async throws {
    var bytes = try ScratchFolder.read(ProjectFolder.fixture("palette.gif"))
    // The width and height of the screen, in the header.
    (bytes[6], bytes[7], bytes[8], bytes[9]) = (UInt8(width), 0, UInt8(height), 0)
    let clip = try scratch.write(bytes, as: "small-screen.gif")
    let facts = try cover(clip)
    #expect(facts.degradation == nil)
    #expect(try await difference(from: clip, at: facts).largest == 0)
  }

  @Test("Zeros in filler data are not taken for a hole", .enabled(if: Scope.isFull))
  func fillerUnits() async throws {
    let clip = scratch("filler.mp4")
    let rate = "nal-hrd=cbr:filler=1:vbv-maxrate=2000:vbv-bufsize=200:bitrate=2000:bframes=0"
    let source = ["-f", "lavfi", "-i", "color=s=160x120:r=25:d=1", "-pix_fmt", "yuv420p", "-c:v", "libx264"]
    try await GeneratedClips.make(clip, source + ["-x264-params", rate])
    var bytes = try ScratchFolder.read(clip)
    // Some end in a separate byte, some do not.
    let filler = [UInt8](repeating: 0xFF, count: 1000) + [0x80]
    try #require(bytes.firstRange(of: filler) != nil)
    for end in [0x80, 0] as [UInt8] {
      guard let place = bytes.firstRange(of: filler) else { continue }
      bytes.replaceSubrange(place, with: [UInt8](repeating: 0, count: 1000) + [end])
    }
    let facts = try cover(try scratch.write(bytes, as: "zeros.mp4"))
    #expect(facts.degradation == nil && facts.actualTime == 0, "\(facts)")
  }

  @Test("What follows the last packet says nothing about its frame", .enabled(if: Scope.isFull), arguments: chained)
  func trailing(_ example: Example) async throws {
    let clip = try await makeClip(example, frames: 1)
    let bytes = try ScratchFolder.read(clip)
    var endings = [("zeros", bytes + [UInt8](repeating: 0, count: 500))]
    if example.container == "webm" || example.container == "mkv" {
      endings.append(("garbage", bytes + (0..<500).map { UInt8(($0 &* 89 + 3) % 256) }))
    }
    // Another clip's first frame may be whole, its second not.
    let two = try await makeClip(example, frames: 2)
    let second = try await firstPacket(two).upperBound
    endings.append(("cut", Array(try ScratchFolder.read(two).prefix(second + 60))))
    for (name, bytes) in endings {
      let path = try scratch.write(bytes, as: "\(name).\(example.container)")
      #expect(try cover(path).degradation == nil, "\(name)")
    }
  }

  @Test(
    "Damage in the sound leaves the frame before it intact",
    .enabled(if: Scope.isFull),
    arguments: [("webm", ["libvpx", "-c:a", "libvorbis"]), ("mkv", ["mpeg4", "-c:a", "ac3"])],
    [1, 2, 12]
  )
  func damagedSound(_ clip: (container: String, codecs: [String]), _ distance: Int) async throws {
    let whole = scratch("whole.\(clip.container)")
    let sources = ["testsrc2=s=320x240:r=1", "sine"].flatMap { ["-f", "lavfi", "-i", $0] }
    try await GeneratedClips.make(whole, sources + ["-t", "6", "-g", "100", "-c:v"] + clip.codecs)
    let packets = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=codec_type,pos", "-of", "csv=p=0", whole.string]
    ).text.split(separator: "\n").map { $0.split(separator: ",") }
    let video = try #require(packets.first { $0[0] == "video" }.flatMap { Int($0[1]) })
    let sound = packets.filter { $0[0] == "audio" }.compactMap { Int($0[1]) }.filter { $0 > video }
    let start = sound[distance - 1]
    let bytes = try ScratchFolder.read(whole)
    var (zeroed, shorter) = (bytes, bytes)
    for index in start + 20..<start + 620 { zeroed[index] = 0 }
    shorter.removeSubrange(start + 20..<start + 60)
    for damaged in [zeroed, shorter] {
      let facts = try cover(try scratch.write(damaged, as: "damaged.\(clip.container)"))
      #expect(facts.degradation == nil && facts.actualTime == 0)
    }
  }

  @Test("A frame with a damaged Ogg page is damaged", .enabled(if: Scope.isFull))
  func page() async throws {
    let clip = try await makeClip(Example(container: "ogv", encoder: ["libtheora", "-g", "10", "-q:v", "10"]))
    let bytes = try ScratchFolder.read(clip)
    let pages = bytes.indices.dropLast(4).filter { bytes[$0...].starts(with: "OggS".utf8) }
    try #require(pages.count > 6)
    for page in pages.dropFirst(3) {
      var damaged = bytes
      damaged[min(page + 2000, bytes.count - 1)] ^= 1
      let path = try scratch.write(damaged, as: "damaged.ogv")
      for time in [RequestedTime.first, .seconds(0.2)] {
        let facts = try cover(path, at: time)
        guard facts.degradation == nil else { continue }
        let found = try await difference(from: clip, at: facts)
        #expect(found.decibels > 40, "page at \(page), \(facts.actualTime ?? 0) s")
      }
    }
  }

  @Test("Intra refresh after a damaged start makes the picture intact again", .enabled(if: Scope.isFull))
  func intraRefresh() async throws {
    let encoder = ["libx264", "-x264-params", "intra-refresh=1:keyint=10:bframes=0"]
    let clip = try await makeClip(Example(container: "mkv", encoder: encoder), frames: 40)
    let facts = try cover(try await damage(clip, filler: 0))
    #expect(facts.degradation == nil && facts.actualTime ?? 0 >= 0.4)
    #expect(try await difference(from: clip, at: facts).decibels > 40, "at \(facts.actualTime ?? 0) s")
  }

  @Test(
    "A damaged clip without an intact frame shows the latest of the least damaged frames",
    .enabled(if: Scope.isFull)
  )
  func bestFrame() async throws {
    let clip = try await makeClip(Example(container: "avi", encoder: ["mpeg4", "-g", "100"] + Self.steady))
    let facts = try cover(try await damage(clip, filler: 0x55))
    #expect(facts.degradation == .corruptFrame && facts.actualTime == 0.76)
  }
}
