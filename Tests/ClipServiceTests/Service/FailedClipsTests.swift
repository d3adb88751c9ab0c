import Covers
import SystemPackage
import Testing

@testable import ClipService

@Suite("Clips that a watch tries again")
struct FailedClipsTests {
  private let start = ContinuousClock.now

  /// Lets a clip fail at each time that it is due, and returns the pauses in seconds.
  private func pauses(of clip: FilePath, _ count: Int, in clips: inout FailedClips) throws -> [Int] {
    var now = start
    return try (0..<count).map { _ in
      clips.record(clip, [.outputFull], at: now)
      let next = try #require(clips.nextTime)
      defer { now = next }
      #expect(clips.takeDue(at: next - .milliseconds(1)).isEmpty)
      #expect(clips.takeDue(at: next) == [clip] && clips.takeDue(at: next).isEmpty && clips.nextTime == nil)
      return Int(now.duration(to: next).components.seconds)
    }
  }

  @Test("Each failure doubles the pause, up to ten minutes, and a success ends that")
  func growth() throws {
    var clips = FailedClips()
    #expect(try pauses(of: "v/a.mp4", 9, in: &clips) == [5, 10, 20, 40, 80, 160, 320, 600, 600])
    clips.record("v/a.mp4", [], at: start)
    #expect(clips.nextTime == nil)
    #expect(try pauses(of: "v/a.mp4", 2, in: &clips) == [5, 10])
    clips.record("v/a.mp4", [.outputFull], at: start)
    clips.remove("v/a.mp4")
    #expect(clips.takeDue(at: start + .seconds(3600)).isEmpty)
  }

  @Test("Only clips that lack a place are due when something in their own folder is gone")
  func places() {
    var clips = FailedClips()
    clips.record("v/b.mp4", [.outputDuplicate], at: start)
    clips.record("v/a.mp4", [.outputDuplicate, .outputFull], at: start)
    clips.record("v/c.mp4", [.outputFull], at: start)
    clips.record("v/x/d.mp4", [.outputDuplicate], at: start)
    #expect(clips.takeWithoutPlace(in: "v") == ["v/a.mp4", "v/b.mp4"])
    #expect(clips.takeWithoutPlace(in: "v").isEmpty)
    #expect(clips.takeDue(at: start + .seconds(5)) == ["v/c.mp4", "v/x/d.mp4"])
  }

  @Test(
    "A reason may pass if it lies neither in the clip nor in its file",
    arguments: [
      (.output, .outputFull, true), (.output, .outputExists, true), (.output, .outputDuplicate, true),
      (.input, .denied, true), (.input, .inputOutput, true), (.encode, .outputFailed, true),
      (.input, .empty, false), (.input, .isCover, false), (.input, .notRegular, false), (.decode, .damaged, false),
      (.open, .noIndex, false), (.service, .timedOut, false),
    ] as [(CoverFailure.Stage, CoverFailure.Cause, Bool)]
  )
  func causes(_ stage: CoverFailure.Stage, _ cause: CoverFailure.Cause, _ mayPass: Bool) {
    var result = ClipResult(clip: "a.mp4")
    result.add(CoverFailure(stage: stage, cause: cause, message: ""))
    #expect(result.isProblem && result.passingCauses == (mayPass ? [cause] : []))
  }
}
