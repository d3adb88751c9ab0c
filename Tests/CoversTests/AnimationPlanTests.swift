import Covers
import Testing

@Suite("Plans of animations")
struct AnimationPlanTests {
  @Test("Each segment is in the middle of its part of the clip")
  func spread() {
    let plan = AnimationPlan(segments: 3, segmentSeconds: 0.4, framesPerSecond: 5)
    #expect(plan.times(duration: 12) == [[1.8, 2.0], [5.8, 6.0], [9.8, 10.0]])
    #expect(AnimationPlan(segments: 1, segmentSeconds: 1, framesPerSecond: 2).times(duration: 9) == [[4, 4.5]])
    #expect(AnimationPlan().times(duration: 60).map(\.count) == [5, 5, 5, 5, 5, 5])
  }

  @Test(
    "A clip that is not longer than all segments is shown as a whole, each frame once",
    arguments: [
      (nil, 6), (1.2, 6), (0.5, 3), (0.4, 2), (0.401, 2), (0.402, 3), (0.04, 1), (0, 1), (-1, 1),
    ] as [(Double?, Int)]
  )
  func short(_ duration: Double?, _ count: Int) {
    let plan = AnimationPlan(segments: 3, segmentSeconds: 0.4, framesPerSecond: 5)
    #expect(plan.times(duration: duration) == [(0..<count).map { Double($0) / 5 }])
  }

  @Test("Segments never overlap, never leave the clip, and never have more frames than the plan")
  func bounds() {
    for segments in AnimationPlan.segmentCounts {
      for length in [0.1, 0.14, 0.5, 3.33] {
        for rate in [1, 7, 10, 30] {
          let plan = AnimationPlan(segments: segments, segmentSeconds: length, framesPerSecond: rate)
          for duration in [0.01, 0.3, Double(segments) * length, Double(segments) * length + 0.001, 3600] {
            let times = plan.times(duration: duration).flatMap { $0 }
            #expect(times == times.sorted() && Set(times).count == times.count && times.count <= plan.frameCount)
            #expect(times.allSatisfy { (0..<max(duration, 0.011)).contains($0) }, "\(plan) \(duration)")
          }
        }
      }
    }
  }

  @Test("Frames appear at the nearest millisecond, so that errors do not add up")
  func milliseconds() {
    #expect((0...3).map { AnimationPlan(framesPerSecond: 3).milliseconds(at: $0) } == [0, 333, 667, 1000])
    #expect(AnimationPlan(framesPerSecond: 30).milliseconds(at: 600) == 20_000)
  }

  @Test(
    "A plan out of range is refused",
    arguments: [
      (0, 0.5, 10, nil), (21, 0.5, 10, nil), (6, 0.05, 10, nil), (6, 10.5, 1, nil), (6, 0.5, 0, nil), (6, 0.5, 31, nil),
      (20, 10, 30, nil), (6, 0.5, 10, 0), (6, 0.5, 10, (1 << 30) + 1),
    ] as [(Int, Double, Int, Int?)]
  )
  func refusal(_ segments: Int, _ length: Double, _ rate: Int, _ bytes: Int?) throws {
    var plan = AnimationPlan(segments: segments, segmentSeconds: length, framesPerSecond: rate)
    plan.maximumBytes = bytes
    let line = try CanonicalJSON.line(plan)
    #expect(throws: DecodingError.self) { try CanonicalJSON.decode(AnimationPlan.self, from: line) }
  }

  @Test("A request with a plan is the same after it was written and read")
  func request() throws {
    var request = CoverRequest(size: SizeLimit(width: 320, height: 320) ?? .none)
    var plan = AnimationPlan(segments: 20, segmentSeconds: 3, framesPerSecond: 10, format: .gif)
    plan.maximumBytes = 500_000
    request.animation = plan
    #expect(plan.isValid && plan.frameCount == 600)
    #expect(try CanonicalJSON.decode(CoverRequest.self, from: CanonicalJSON.line(request)) == request)
  }

  @Test("Frames that the plan does not allow are not those of the request")
  func frames() {
    var request = CoverRequest(size: SizeLimit(width: 20, height: 30) ?? .none)
    request.animation = AnimationPlan(segments: 2, segmentSeconds: 0.5, framesPerSecond: 4)
    request.quality = 70
    let usual = CoverFacts.Frames(count: 4, milliseconds: 1000, quality: 70)
    func fits(_ size: PixelSize, _ request: CoverRequest, _ change: (inout CoverFacts.Frames) -> Void) -> Bool {
      var frames = usual
      change(&frames)
      var facts = CoverFacts(
        size: size,
        alpha: false,
        stored: size,
        orientation: .upright,
        sampleAspectRatio: nil,
        container: "",
        codec: "",
        pixelFormat: "",
        milliseconds: nil
      )
      facts.frames = frames.count < 0 ? nil : frames
      return facts.framesFit(request)
    }
    let size = PixelSize(width: 20, height: 15)
    #expect(
      fits(size, request) { _ in } && fits(size, request) { $0.quality = 1 } && fits(size, request) { $0.count = 1 }
    )
    let changes: [(inout CoverFacts.Frames) -> Void] = [
      { $0.count = 5 }, { $0.count = 0 }, { $0.milliseconds = 0 }, { $0.milliseconds = 1011 }, { $0.quality = 71 },
      { $0.quality = 0 }, { $0.damaged = 4 }, { $0.damaged = -1 }, { $0.count = -1 },
    ]
    for change in changes { #expect(!fits(size, request, change)) }
    #expect(!fits(PixelSize(width: 21, height: 15), request) { _ in } && !fits(size, CoverRequest()) { _ in })
    #expect(fits(size, CoverRequest()) { $0.count = -1 })
  }
}
