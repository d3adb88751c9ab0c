import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Sheets compared with the frames that ffmpeg decodes, at the size that the clip has, so that nothing is scaled.
@Suite("Sheets of several frames")
struct SheetTests {
  struct Kind: CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    /// The number of frames from one key frame to the next.
    let group: Int
    var testDescription: String { name }

    init(_ name: String, group: Int = 25, _ arguments: String...) {
      (self.name, self.group, self.arguments) = (name, group, arguments)
    }
  }

  private static let size = PixelSize(width: 160, height: 120)
  private static let h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-sc_threshold", "0"]

  static let kinds = [
    Kind("h264.mp4"), Kind("h264.mkv"), Kind("open.mkv", "-x264-params", "open-gop=1"), Kind("h264.ts"),
    Kind("h264.flv"), Kind("fragmented.mp4", "-movflags", "frag_keyframe+empty_moov"),
    Kind("fields.ts", "-flags", "+ilme+ildct"), Kind("mpeg2.ts", "-c:v", "mpeg2video", "-bf", "2"),
    Kind("mpeg4.avi", "-c:v", "mpeg4"), Kind("vp9.webm", "-c:v", "libvpx-vp9", "-deadline", "realtime"),
    Kind("hevc.mp4", "-c:v", "libx265", "-x265-params", "keyint=25:log-level=error"),
    Kind("mjpeg.avi", "-c:v", "mjpeg"), Kind("wmv.wmv", "-c:v", "wmv2"), Kind("long.mp4", group: 1000),
    Kind("long.webm", group: 1000, "-c:v", "libvpx", "-deadline", "realtime"), Kind("long.ts", group: 1000),
    Kind("gap.webm", group: 1000, "-c:v", "libvpx", "-vf", "select=not(between(n\\,20\\,60))", "-fps_mode", "vfr"),
    Kind("odd.mkv", group: 37), Kind("shifted.ts", "-output_ts_offset", "95443"),
  ]

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func make(_ kind: Kind) async throws -> FilePath {
    let clip = scratch(kind.name)
    let source = "testsrc2=s=\(Self.size.width)x\(Self.size.height):r=25:d=4"
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", source] + Self.h264 + ["-g", "\(kind.group)"] + kind.arguments
    )
    return clip
  }

  private struct Sheet {
    let facts: CoverFacts
    let pixels: RawPixels

    /// Returns the pixels of a tile.
    func tile(_ number: Int, columns: Int) -> RawPixels {
      let (width, height) = (facts.tiles?.width ?? 0, facts.tiles?.height ?? 0)
      var bytes: [UInt8] = []
      for y in 0..<height {
        let row = number / columns * height + y
        let start = 3 * (row * pixels.width + number % columns * width)
        bytes += pixels.bytes[start..<start + 3 * width]
      }
      return RawPixels(width: width, height: height, channels: 3, bytes: bytes)
    }
  }

  private func sheet(of clip: FilePath, _ plan: SheetPlan, size: SizeLimit = .none) async throws -> Sheet {
    var request = CoverRequest(size: size)
    request.sheet = plan
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    return Sheet(facts: facts, pixels: try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false))
  }

  @Test(
    "Every tile shows the key frame before its time, or the frame of its time if that is far or must be exact",
    .enabled(if: Scope.isFull),
    arguments: kinds,
    [(0.55, true), (0.55, false), (0.2, true)]
  )
  func tiles(_ kind: Kind, _ choice: (interval: Double, usesKeyFrames: Bool)) async throws {
    let clip = try await make(kind)
    let frames = try await ReferenceFrame.all(of: clip, size: Self.size)
    var plan = SheetPlan(columns: 5, rows: 5, interval: choice.interval)
    plan.usesKeyFrames = choice.usesKeyFrames
    let sheet = try await sheet(of: clip, plan)
    let times = try #require(sheet.facts.tiles?.times)
    // The duration in an FLV file is a frame longer.
    #expect(abs(Double(times.count) - (4 / choice.interval).rounded(.up)) <= 1)
    #expect(sheet.facts.degradation == nil && sheet.facts.warnings == [])
    for (number, found) in times.enumerated() {
      let wanted = Double(number) * plan.interval
      let shown = try #require(frames.last { $0.time <= wanted + 0.0005 })
      let key = try #require(frames.last { $0.isKey && $0.time <= wanted + 0.0005 })
      let time = try #require(found, "tile \(number)")
      let best = try #require(frames.min { abs($0.time - time) < abs($1.time - time) })
      let isKey = choice.usesKeyFrames && key.time + 2 * plan.interval > wanted + 0.001 && abs(time - key.time) < 0.0021
      // Once decoding continues from tile to tile, it does so up to the next key frame.
      #expect(isKey || abs(time - shown.time) < 0.0021, "tile \(number): \(time)")
      if choice.interval > 0.5, kind.group <= 25 { #expect(isKey == choice.usesKeyFrames || best.isKey) }
      // Fields are interpolated in different ways.
      guard !kind.name.hasPrefix("fields") else { continue }
      let difference = try #require(PixelDifference(sheet.tile(number, columns: plan.columns), best.pixels))
      #expect(difference.decibels >= 38, "tile \(number): \(difference)")
    }
  }

  @Test("After a long distance between two key frames, tiles show key frames again")
  func closerKeyFrames() async throws {
    // Key frames at 0, and from 2 seconds on five a second.
    let keys = "expr:gte(t,2)*not(mod(n,5))"
    let clip = try await make(Kind("closer.mkv", group: 1000, "-force_key_frames", keys))
    let sheet = try await sheet(of: clip, SheetPlan(columns: 5, rows: 3, interval: 0.33))
    let times = try #require(sheet.facts.tiles?.times.compactMap { $0 })
    #expect(times.count == 13 && times[4] == 1.32, "\(times)")
    // Decoding continues up to the first of these key frames.
    #expect(times.dropFirst(8).allSatisfy { (Int(($0 * 25).rounded()) - 50) % 5 == 0 }, "\(times)")
  }

  @Test(
    "Frames spread over a clip are all different, near their times, and from its beginning to its end",
    .enabled(if: Scope.isFull),
    arguments: kinds,
    [true, false]
  )
  func spread(_ kind: Kind, _ usesKeyFrames: Bool) async throws {
    let clip = try await make(kind)
    let frames = try await ReferenceFrame.all(of: clip, size: Self.size)
    var plan = SheetPlan(.spread(8))
    plan.usesKeyFrames = usesKeyFrames
    let sheet = try await sheet(of: clip, plan)
    let times = try #require(sheet.facts.tiles?.times)
    let known = times.compactMap(\.self)
    #expect(zip(known, known.dropFirst()).allSatisfy { $0 < $1 })
    let gap = 4 * 0.98 / 7
    // In a gap of the clip, a frame is shown for longer than that.
    let isGapless = !kind.name.hasPrefix("gap")
    #expect(times.count == (isGapless ? 8 : 6))
    #expect(sheet.pixels.width == 160 && sheet.pixels.height == times.count * 120)
    for (number, found) in times.enumerated() where isGapless || number < 2 {
      let time = try #require(found, "tile \(number)")
      let wanted = 0.04 + Double(number) * gap
      let shown = try #require(frames.last { $0.time <= wanted + 0.0005 })
      let nearest = try #require(frames.min { abs($0.time - time) < abs($1.time - time) })
      // The duration in an FLV file is a frame longer.
      let isShown = abs(time - shown.time) < (kind.name.hasSuffix("flv") ? 0.0411 : 0.0021)
      #expect(isShown || usesKeyFrames && nearest.isKey && wanted - time <= gap / 2 + 0.0021, "tile \(number): \(time)")
      guard !kind.name.hasPrefix("fields") else { continue }
      let difference = try #require(PixelDifference(sheet.tile(number, columns: 1), nearest.pixels))
      #expect(difference.decibels >= 38, "tile \(number): \(difference)")
    }
  }

  @Test("Frames at times are those shown at these times, in order, and each only once", .enabled(if: Scope.isFull))
  func positions() async throws {
    let clip = try await make(Kind("h264.mp4"))
    let positions = ["50%", "3.01", "0", "3.02", "100%", "0:02"].compactMap(RequestedTime.Position.init)
    let sheet = try await sheet(of: clip, SheetPlan(.at(positions)))
    #expect(sheet.facts.tiles?.times == [0, 2, 3, 3.96])
  }

  @Test("A clip with fewer frames than wanted has a tile for each of them")
  func fewFrames() async throws {
    let clip = try await make(Kind("few.mp4", "-frames:v", "3"))
    let sheet = try await sheet(of: clip, SheetPlan(.spread(12)))
    #expect(sheet.facts.tiles?.times == [0, 0.04, 0.08])
  }

  @Test(
    "A clip with fewer frames than wanted, at irregular times, has a tile for each of them",
    arguments: [("mkv", "mpeg4"), ("mp4", "libx264"), ("webm", "libvpx")]
  )
  func sparseFrames(container: String, codec: String) async throws {
    let frames = "select='eq(n,0)+eq(n,1)+eq(n,2)+eq(n,40)'"
    let clip = scratch("sparse.\(container)")
    let sound = ["-c:a", container == "webm" ? "libopus" : "aac"]
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc=s=160x120:r=1:d=50", "-f", "lavfi", "-i", "sine=d=60", "-vf", frames]
        + ["-fps_mode", "vfr", "-pix_fmt", "yuv420p", "-c:v", codec] + sound
    )
    for count in [4, 5, 12, 30] {
      let sheet = try await sheet(of: clip, SheetPlan(.spread(count)))
      #expect(sheet.facts.tiles?.times == [0, 1, 2, 40] && sheet.facts.degradation == nil, "\(count) tiles")
    }
    // More frames than tiles are spread as always.
    let three = try await sheet(of: clip, SheetPlan(.spread(3)))
    #expect(try #require(three.facts.tiles).times.count <= 3)
  }

  @Test("Frames are spread over the video if that is shorter than the clip")
  func shorterVideo() async throws {
    let sound = ["-f", "lavfi", "-i", "sine=d=20", "-c:a", "aac"]
    let clip = scratch("sound.mp4")
    try await GeneratedClips.make(clip, ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4"] + sound + Self.h264)
    let sheet = try await sheet(of: clip, SheetPlan(.spread(5)))
    let times = try #require(sheet.facts.tiles?.times.compactMap { $0 })
    #expect(times.count == 5 && (3.5...3.96).contains(times.last ?? 0), "\(times)")
  }

  @Test("The sheets of a series continue each other, and all tiles have the size of the first sheet's")
  func series() async throws {
    let clip = try await make(Kind("h264.mkv"))
    var plan = SheetPlan(columns: 2, rows: 2, interval: 0.6)
    let first = try await sheet(of: clip, plan, size: try #require(SizeLimit("80")))
    plan.number = 1
    plan.tileSize = SizeLimit(width: 80, height: 60)
    let second = try await sheet(of: clip, plan)
    #expect(first.facts.tiles?.times == [0, 0, 1, 1] && second.facts.tiles?.times == [2, 3, 3])
    for sheet in [first, second] {
      #expect(sheet.pixels.width == 160 && sheet.pixels.height == 120)
      #expect(sheet.facts.tiles?.width == 80 && sheet.facts.tiles?.height == 60)
    }
    plan.number = 2
    let failure = await #expect(throws: CoverFailure.self) { try await self.sheet(of: clip, plan) }
    #expect(failure?.cause == .noFrame)
  }

  @Test(
    "A clip of unknown duration has tiles up to its end",
    .enabled(if: Scope.isFull),
    arguments: ["a.mkv", "a.flv", "a.h264", "a.m2v"]
  )
  func unknownDuration(_ name: String) async throws {
    let codec = name.hasSuffix("m2v") ? ["-c:v", "mpeg2video", "-g", "12"] : Self.h264 + ["-g", "25"]
    // A pipe cannot be rewound, so that the muxer cannot write the duration.
    let format = ["mkv": "matroska", "flv": "flv", "h264": "h264", "m2v": "mpeg2video"]
    let command =
      "ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=160x120:r=25:d=4 \(codec.joined(separator: " ")) "
      + "-f \(format[FilePath(name).extension ?? ""] ?? "") - > '\(scratch(name).string)'"
    let made = try await Program.runTool("sh", ["-c", command])
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    var plan = SheetPlan(columns: 4, rows: 4, interval: 1)
    plan.usesKeyFrames = false
    let sheet = try await sheet(of: scratch(name), plan)
    let times = try #require(sheet.facts.tiles?.times)
    #expect(times.count == 4 || times.count == 5, "\(times)")
    #expect(zip(times, [0, 1, 2, 3]).allSatisfy { abs(($0 ?? -1) - $1) < 0.041 }, "\(times)")
  }

  @Test("If the video is shorter than the clip, its last frame is repeated to the end")
  func soundLonger() async throws {
    let clip = scratch("sound-longer.mkv")
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-f", "lavfi", "-i", "sine=d=3", "-c:a", "flac"] + Self.h264
    )
    for usesKeyFrames in [true, false] {
      var plan = SheetPlan(columns: 6, rows: 1, interval: 0.5)
      plan.usesKeyFrames = usesKeyFrames
      let sheet = try await sheet(of: clip, plan)
      let times = try #require(sheet.facts.tiles?.times)
      #expect(times.count == 6 && times.suffix(3) == [0.96, 0.96, 0.96], "\(times)")
      #expect(sheet.tile(5, columns: 6).bytes == sheet.tile(4, columns: 6).bytes)
    }
  }

  @Test("A clip with one frame, or shorter than a second, has one tile", arguments: ["0.04", "0.9"])
  func short(_ seconds: String) async throws {
    let clip = scratch("short.mp4")
    try await GeneratedClips.make(clip, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=\(seconds)"] + Self.h264)
    let sheet = try await sheet(of: clip, SheetPlan(columns: 10, rows: 10, interval: 10))
    #expect(sheet.facts.tiles?.times == [0] && sheet.pixels.width == 64 && sheet.pixels.height == 48)
  }

  @Test("A single frame without a time is one tile")
  func untimed() async throws {
    let clip = scratch("single.asf")
    try await GeneratedClips.make(clip, ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "1"] + Self.h264)
    let sheet = try await sheet(of: clip, SheetPlan(.spread(12)))
    #expect(sheet.facts.tiles?.times.count == 1 && sheet.facts.warnings == [], "\(sheet.facts)")
    // Two decoders would not know that they have the same frame.
    var half = SheetPlan(.spread(12))
    half.half = .first
    await #expect(throws: CoverFailure.self) { try await self.sheet(of: clip, half) }
  }

  /// At the end of H.264 in FLV there is a mark, which libavformat takes for a key frame.
  @Test(
    "A short FLV clip has a tile for each frame, and key frames",
    .enabled(if: Scope.isFull),
    arguments: [1, 2, 3, 5],
    [false, true]
  )
  func shortFLV(_ count: Int, _ hasSound: Bool) async throws {
    let clip = scratch("short.flv")
    let sound = hasSound ? ["-f", "lavfi", "-i", "sine=d=1", "-shortest"] : []
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=10"] + sound + ["-frames:v", "\(count)"] + Self.h264
    )
    let sheet = try await sheet(of: clip, SheetPlan(.spread(12)))
    #expect(sheet.facts.tiles?.times.count == count && sheet.facts.warnings == [], "\(sheet.facts)")
    let key = try CoverExtractor.makeCover(of: clip, CoverRequest(time: .keyFrame(before: .percent(0.5))), in: scratch)
    #expect(key.actualTime == 0 && key.warnings == [], "\(key)")
  }

  @Test("Where a clip is damaged, its tiles are crossed out and the rest is right")
  func damage() async throws {
    let clip = try await make(Kind("h264.mp4"))
    let intact = try await sheet(of: clip, SheetPlan(columns: 4, rows: 1, interval: 1))
    var bytes = try ScratchFolder.read(clip)
    let key = try await StoredPacket.all(of: clip).filter(\.isKey)[2]
    // The packets after it, which frames of this tile depend on, are damaged as well.
    for index in key.position..<key.position + key.size + 2000 { bytes[index] = UInt8(truncatingIfNeeded: index &* 37) }
    try ScratchFolder.write(bytes, to: clip)
    let damaged = try await sheet(of: clip, SheetPlan(columns: 4, rows: 1, interval: 1))
    #expect(damaged.facts.tiles?.times == [0, 1, nil, 3], "\(damaged.facts)")
    #expect(damaged.facts.degradation == .damagedTiles)
    #expect(damaged.facts.tiles?.damaged == 1 && intact.facts.tiles?.damaged == 0)
    for number in [0, 1, 3] {
      #expect(intact.tile(number, columns: 4).bytes == damaged.tile(number, columns: 4).bytes)
    }
    #expect(damaged.tile(2, columns: 4).bytes.prefix(3) == [48, 48, 48])
  }

  @Test("A frame of another shape is shown whole in the middle of its tile")
  func shapes() async throws {
    // A transport stream whose size changes in the middle.
    for (name, size, start) in [("a.ts", "160x120", "0"), ("b.ts", "60x120", "2")] {
      try await GeneratedClips.make(
        scratch(name),
        ["-f", "lavfi", "-i", "color=red:s=\(size):r=25:d=2"] + Self.h264 + ["-g", "25", "-output_ts_offset", start]
      )
    }
    try scratch.write(ScratchFolder.read(scratch("a.ts")) + ScratchFolder.read(scratch("b.ts")), as: "both.ts")
    var plan = SheetPlan(columns: 4, rows: 1, interval: 1)
    plan.usesKeyFrames = false
    let sheet = try await sheet(of: scratch("both.ts"), plan)
    let tile = sheet.tile(3, columns: 4)
    #expect(tile.width == 160 && tile.height == 120)
    let row = tile.bytes[(3 * 160 * 60)..<(3 * 160 * 61)]
    let reds = (0..<160).filter { row[row.startIndex + 3 * $0] > 200 }
    #expect(reds == Array(50..<110), "\(reds)")
  }

  @Test("A clip with too many tiles is refused with the bound")
  func bound() async throws {
    let clip = scratch("slow.mp4")
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=0.001", "-frames:v", "5"] + Self.h264
    )
    let failure = await #expect(throws: CoverFailure.self) {
      try await self.sheet(of: clip, SheetPlan(columns: 10, rows: 10, interval: 0.1))
    }
    #expect(failure?.message == "the storyboard would have 50000 tiles; the limit is 20000")
  }
}
