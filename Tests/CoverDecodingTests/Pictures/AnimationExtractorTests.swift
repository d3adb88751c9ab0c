import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Animations of clips whose frames are of one grey each, which shows their number.
@Suite("Animations of clips, read by Pillow", .enabled("Pillow with animated WebP is missing", ReadAnimation.isThere))
struct AnimationExtractorTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private static let h264 = ["-c:v", "libx264", "-qp", "10", "-g", "25", "-sc_threshold", "0"]

  /// Makes a clip whose frames become lighter, from the luma 30 on.
  private func make(
    _ name: String,
    seconds: Double = 4,
    rate: Int = 25,
    size: String = "64x48",
    step: Int = 2,
    _ arguments: [String] = h264
  ) async throws -> FilePath {
    let greys = "geq=lum=30+\(step)*N:cb=128:cr=128,format=yuv420p"
    try await GeneratedClips.make(
      scratch(name),
      ["-f", "lavfi", "-i", "color=black:s=\(size):r=\(rate):d=\(seconds),\(greys)"] + arguments
    )
    return scratch(name)
  }

  private struct Animation {
    let facts: CoverFacts
    let bytes: [UInt8]
    let read: ReadAnimation

    /// The numbers of the clip's frames that are shown.
    var numbers: [Int] { numbers(step: 2) }

    /// - Parameter step: By how much each frame is lighter than the one before.
    func numbers(step: Double) -> [Int] {
      read.pictures.map { picture in
        let grey = Double(picture.pixel(picture.width / 2, picture.height / 2)[0])
        return Int(((grey * 219 / 255 + 16 - 30) / step).rounded())
      }
    }
  }

  private func animation(
    of clip: FilePath,
    _ plan: AnimationPlan,
    quality: Int = 95,
    size: SizeLimit = .none
  ) async throws -> Animation {
    var request = CoverRequest(size: size)
    (request.animation, request.quality) = (plan, quality)
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    let bytes = try ScratchFolder.read(scratch("cover.png"))
    let read = try await ReadAnimation(bytes)
    #expect(facts.framesFit(request) && read.loops == 0)
    #expect(facts.frames?.count == read.durations.count)
    #expect(facts.frames?.milliseconds == read.durations.reduce(0, +))
    return Animation(facts: facts, bytes: bytes, read: read)
  }

  private static let segments = AnimationPlan(segments: 3, segmentSeconds: 0.4, framesPerSecond: 10)

  @Test(
    "The frames are those shown at the times of the plan",
    .enabled(if: Scope.isFull),
    arguments: [
      ("a.mp4", h264), ("a.mkv", h264), ("a.ts", h264), ("long.mp4", h264 + ["-g", "1000"]),
      ("mpeg2.ts", ["-c:v", "mpeg2video", "-q:v", "1", "-bf", "2"]), ("a.avi", ["-c:v", "mjpeg", "-q:v", "1"]),
      ("a.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "10M"]),
    ],
    AnimationFormat.allCases
  )
  func frames(_ kind: (name: String, arguments: [String]), _ format: AnimationFormat) async throws {
    let clip = try await make(kind.name, kind.arguments)
    var plan = Self.segments
    plan.format = format
    let animation = try await animation(of: clip, plan)
    let duration = try #require(animation.facts.durationSeconds)
    #expect(abs(duration - 4) < 0.09)
    let expected = plan.times(duration: duration).flatMap { $0 }.map { Int(($0 * 25 + 0.01).rounded(.down)) }
    #expect(animation.numbers == expected, "\(animation.facts)")
    #expect(animation.read.durations == Array(repeating: 100, count: 12))
    #expect(animation.facts.degradation == nil && animation.facts.warnings == [])
    #expect(animation.read.width == 64 && animation.read.height == 48)
  }

  @Test(
    "A clip shorter than the segments is shown as a whole, each frame once",
    .enabled(if: Scope.isFull),
    arguments: [
      (0.9, 10, [0, 1, 2, 3, 4, 5, 6, 7, 8], Array(repeating: 100, count: 9)),
      (0.8, 5, [0, 1, 2, 3], Array(repeating: 200, count: 4)), (0.04, 25, [0], [100]),
    ]
  )
  func short(_ seconds: Double, _ rate: Int, _ numbers: [Int], _ durations: [Int]) async throws {
    let clip = try await make("short.mp4", seconds: seconds, rate: rate, step: 20)
    for format in AnimationFormat.allCases {
      let animation = try await animation(of: clip, AnimationPlan(format: format))
      #expect(animation.numbers(step: 20) == numbers && animation.read.durations == durations)
    }
  }

  @Test("A clip of unknown duration is shown from its beginning", .enabled(if: Scope.isFull))
  func unknownDuration() async throws {
    // Pictures that follow one another.
    let clip = try await make("pictures", ["-c:v", "png", "-f", "image2pipe"])
    let animation = try await animation(of: clip, Self.segments)
    #expect(animation.facts.durationSeconds == nil && animation.facts.warnings == [])
    let last = try #require(animation.numbers.last)
    #expect(animation.numbers.first == 0 && abs(last - 27) <= 1 && animation.facts.frames?.milliseconds == 1200)
    // It ends before the segments do.
    let whole = try await self.animation(of: clip, AnimationPlan(segments: 10, framesPerSecond: 5))
    let end = try #require(whole.numbers.last)
    #expect(whole.numbers.first == 0 && abs(end - 95) <= 1 && whole.facts.frames?.milliseconds == 4000)
  }

  @Test("A raw stream is shown like any other clip", .enabled(if: Scope.isFull))
  func rawStream() async throws {
    let animation = try await animation(of: try await make("a.h264"), Self.segments)
    let expected = Self.segments.times(duration: 4).flatMap { $0 }.map { Int($0 * 25 + 0.01) }
    #expect(animation.numbers == expected && animation.facts.warnings == [])
  }

  @Test("The segments are spread over the video, even if the sound is longer")
  func soundLonger() async throws {
    let video = try await make("video.mkv")
    let clip = scratch("clip.mkv")
    try await GeneratedClips.make(
      clip,
      ["-i", video.string, "-f", "lavfi", "-i", "sine=d=20", "-c:v", "copy", "-c:a", "flac"]
    )
    let animation = try await animation(of: clip, Self.segments)
    #expect(
      animation.facts.warnings == ["the video ends at 4 s, well before the duration given by the container"]
    )
    let expected = Self.segments.times(duration: 4).flatMap { $0 }.map { Int($0 * 25 + 0.01) }
    #expect(animation.numbers == expected)
  }

  @Test("A segment whose picture has not changed since the previous one is left out")
  func slides() async throws {
    let clip = scratch("slides.mkv")
    // Three pictures of 20 seconds each.
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "color=black:s=64x48:r=1/20:d=60,geq=lum=30+40*N:cb=128:cr=128,format=yuv420p"] + Self.h264
    )
    let animation = try await animation(of: clip, AnimationPlan(segments: 5, segmentSeconds: 1, framesPerSecond: 4))
    // A picture that does not change is one frame.
    #expect(animation.numbers(step: 40) == [0, 1, 2] && animation.read.durations == [1000, 1000, 1000])
  }

  @Test("Where a clip is damaged, frames are left out and the rest is right", .enabled(if: Scope.isFull))
  func damage() async throws {
    let clip = try await make("a.mp4")
    let plan = AnimationPlan(segments: 4, segmentSeconds: 0.5, framesPerSecond: 10)
    let intact = try await animation(of: clip, plan)
    var bytes = try ScratchFolder.read(clip)
    let keys = try await StoredPacket.all(of: clip).filter(\.isKey)
    for index in keys[1].position..<keys[2].position { bytes[index] = UInt8(truncatingIfNeeded: index &* 37) }
    try ScratchFolder.write(bytes, to: clip)
    let damaged = try await animation(of: clip, plan)
    #expect(damaged.facts.degradation == .damagedFrames && damaged.facts.warnings == ["5 frames are damaged"])
    #expect(damaged.facts.frames?.damaged == 5 && intact.facts.frames?.damaged == 0)
    #expect(damaged.numbers == intact.numbers.filter { !(25..<50).contains($0) } && damaged.numbers.count == 15)
  }

  @Test("A frame of another shape is shown whole in the middle of the picture")
  func shapes() async throws {
    for (name, size, start) in [("a.ts", "160x120", "0"), ("b.ts", "60x120", "2")] {
      try await GeneratedClips.make(
        scratch(name),
        ["-f", "lavfi", "-i", "color=red:s=\(size):r=25:d=2"] + Self.h264 + ["-output_ts_offset", start]
      )
    }
    try scratch.write(ScratchFolder.read(scratch("a.ts")) + ScratchFolder.read(scratch("b.ts")), as: "both.ts")
    let animation = try await animation(of: scratch("both.ts"), AnimationPlan(segments: 2))
    let (first, last) = (try #require(animation.read.pictures.first), try #require(animation.read.pictures.last))
    #expect((0..<160).allSatisfy { first.pixel($0, 60)[0] > 200 } && last.width == 160)
    #expect((0..<160).filter { last.pixel($0, 60)[0] > 128 } == Array(50..<110))
  }

  @Test("Transparent parts stay transparent in WebP and are black in GIF", .enabled(if: Scope.isFull))
  func alpha() async throws {
    let clip = ProjectFolder.fixture("vp9-alpha.webm")
    let webP = try await animation(of: clip, AnimationPlan())
    let gif = try await animation(of: clip, AnimationPlan(format: .gif))
    #expect(webP.facts.alpha && !gif.facts.alpha)
    let (one, other) = (try #require(webP.read.pictures.first), try #require(gif.read.pictures.first))
    let places = (0..<one.height).flatMap { y in (0..<one.width).map { (x: $0, y: y) } }
    let clear = places.filter { one.pixel($0.x, $0.y)[3] == 0 }
    #expect(!clear.isEmpty && clear.allSatisfy { other.pixel($0.x, $0.y) == [0, 0, 0, 255] })
  }

  // MARK: - Size of the file

  private func makeNoise() async throws -> FilePath {
    let clip = scratch("noise.mkv")
    let noise = "testsrc2=s=160x120:r=10:d=1,noise=alls=30:allf=t"
    try await GeneratedClips.make(clip, ["-f", "lavfi", "-i", noise, "-c:v", "ffv1"])
    return clip
  }

  @Test(
    "The quality is lowered no more than the size of the file demands",
    .enabled(if: Scope.isFull),
    arguments: AnimationFormat.allCases
  )
  func bound(_ format: AnimationFormat) async throws {
    let clip = try await makeNoise()
    var plan = AnimationPlan(format: format)
    let free = try await animation(of: clip, plan, quality: 90)
    let smallest = try await animation(of: clip, plan, quality: 1)
    #expect(free.facts.frames?.quality == 90)
    let limit = (free.bytes.count + smallest.bytes.count) / 2
    plan.maximumBytes = limit
    let bound = try await animation(of: clip, plan, quality: 90)
    let quality = try #require(bound.facts.frames?.quality)
    #expect(bound.bytes.count <= limit && quality < 90)
    #expect(bound.read.durations == free.read.durations && bound.read.width == free.read.width)
    // The next higher quality is too large, and the same order gives the same file.
    plan.maximumBytes = nil
    #expect(try await animation(of: clip, plan, quality: quality + 1).bytes.count > limit)
    plan.maximumBytes = limit
    #expect(try await animation(of: clip, plan, quality: 90).bytes == bound.bytes)
    // A file that is just small enough keeps its quality.
    plan.maximumBytes = free.bytes.count
    #expect(try await animation(of: clip, plan, quality: 90).facts.frames?.quality == 90)
  }

  @Test(
    "A bound that no quality meets is refused with the size of the smallest file",
    .enabled(if: Scope.isFull),
    arguments: AnimationFormat.allCases
  )
  func tooLarge(_ format: AnimationFormat) async throws {
    let clip = try await makeNoise()
    var plan = AnimationPlan(format: format)
    let smallest = try await animation(of: clip, plan, quality: 1)
    plan.maximumBytes = 2000
    let failure = await #expect(throws: CoverFailure.self) { try await self.animation(of: clip, plan, quality: 70) }
    #expect(failure?.stage == .encode && failure?.cause == .tooLarge)
    let message =
      "the animation is \(smallest.bytes.count) bytes even at the lowest quality, more than the limit of 2000"
    #expect(failure?.message == message)
    #expect(failure?.advice == "choose a smaller --size, a lower --fps or fewer --segments")
  }

  @Test("Frames with too many pixels are refused before they are decoded", .enabled(if: Scope.isFull))
  func tooManyPixels() async throws {
    let clip = try await make("large.mkv", seconds: 20, rate: 2, size: "3000x2000", ["-c:v", "mjpeg"])
    let plan = AnimationPlan(segments: 6, segmentSeconds: 1, framesPerSecond: 2)
    let failure = await #expect(throws: CoverFailure.self) { try await self.animation(of: clip, plan) }
    #expect(failure?.message == "12 frames of 3000×2000 have more than 50000000 pixels")
    #expect(try await animation(of: clip, plan, size: try #require(SizeLimit("300"))).read.width == 300)
  }
}
