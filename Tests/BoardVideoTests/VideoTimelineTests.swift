import BoardSupport
import BoardVideo
import Covers
import TestSupport
import Testing

@Suite("When the clips of a video play")
struct VideoTimelineTests {
  private let durations: [Double?] = [2, nil, 1.001, 0.01]

  private func timeline(
    _ order: ExportArguments.Order = .together,
    _ length: ExportArguments.Length = .longest,
    rate: String = "30"
  ) throws -> VideoTimeline {
    let rate = try #require(FrameRate(rate))
    return VideoTimeline(of: durations, order: order, length: length, frameRate: rate.value)
  }

  @Test("Clips that play together all start with the video")
  func together() throws {
    let timeline = try timeline()
    #expect(timeline.spans.map { $0?.start } == [0, nil, 0, 0])
    #expect(timeline.spans.map { $0?.frames } == [60, nil, 30, 1])
    #expect(timeline.frames == 60)
  }

  @Test("Clips in sequence follow each other without a gap")
  func sequence() throws {
    let timeline = try timeline(.sequence)
    #expect(timeline.spans.map { $0?.start } == [0, nil, 60, 90])
    #expect(timeline.frames == 91)
  }

  @Test("A clip lasts at least one frame, and the nearest number of frames")
  func nearestFrames() throws {
    #expect(try timeline(rate: "24000/1001").spans.map { $0?.frames } == [48, nil, 24, 1])
    #expect(try timeline(rate: "120").spans.map { $0?.frames } == [240, nil, 120, 1])
  }

  @Test(
    "The shortest length ends with the first clip that ends, and a number of seconds counts as it is",
    .enabled(if: Scope.isFull)
  )
  func lengths() throws {
    #expect(try timeline(.together, .shortest).frames == 1)
    #expect(try timeline(.sequence, .shortest).frames == 60)
    #expect(try timeline(.together, .seconds(7.49)).frames == 225)
    #expect(try timeline(.together, .seconds(0.001)).frames == 1)
  }

  @Test("A board without clips has no length")
  func noClips() {
    let timeline = VideoTimeline(of: [nil, nil], order: .together, length: .longest, frameRate: FrameRate.usual.value)
    #expect(timeline.frames == 0)
  }

  @Test("No video is longer than a day, however long its clips are")
  func longest() {
    let timeline = VideoTimeline(
      of: [1e12, 1e300, .infinity],
      order: .sequence,
      length: .longest,
      frameRate: FrameRate.usual.value
    )
    #expect(timeline.frames == VideoTimeline.maximumFrames)
  }

  @Test("Sounds are counted where they overlap")
  func overlaps() throws {
    let together = try timeline()
    #expect(together.mostAtOnce(isLooped: false) { _ in true } == 3)
    #expect(together.mostAtOnce(isLooped: false) { $0 == 2 } == 1)
    let sequence = try timeline(.sequence)
    #expect(sequence.mostAtOnce(isLooped: false) { _ in true } == 1)
    #expect(sequence.mostAtOnce(isLooped: true) { _ in true } == 3)
    #expect(sequence.mostAtOnce(isLooped: true) { _ in false } == 0)
  }
}
