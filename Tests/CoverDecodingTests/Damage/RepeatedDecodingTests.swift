import CCover
import Covers
import SystemPackage
import TestSupport
import Testing

@testable import CoverDecoding

@Suite("Several frames of one open clip")
struct RepeatedDecodingTests {
  /// Times as shares of the duration: forwards, backwards, past the end, and the same one again.
  private static let shares = [0.5, 0.1, 0.9, 0, 1.5, 0.5, 0.03, 0.66]

  private func open(_ file: FileDescriptor) throws -> ClipDecoder {
    try ClipDecoder(descriptor: file.rawValue, completely: false, seeks: true)
  }

  /// What a clip gives for a time: the time of its frame, or why it has none.
  private func frame(of clip: inout ClipDecoder, _ time: Duration, isKeyFrame: Bool) -> String {
    do throws(CoverFailure) {
      let facts = try clip.decode(at: time, isKeyFrame: isKeyFrame)
      return "\(facts.timestamp), key \(facts.is_key_frame), damaged \(facts.is_corrupt)"
    } catch {
      return "\(error.cause)"
    }
  }

  private func compare(_ path: FilePath) throws {
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    try file.closeAfter {
      var kept = try open(file)
      let duration = kept.facts.durationSeconds ?? 1
      kept.setDraft(true)
      _ = frame(of: &kept, .seconds(duration / 2), isKeyFrame: false)
      kept.setDraft(false)
      for isKeyFrame in [false, true] {
        for share in Self.shares {
          let time = Duration.seconds(share * duration)
          var fresh = try open(file)
          let expected = frame(of: &fresh, time, isKeyFrame: isKeyFrame)
          #expect(frame(of: &kept, time, isKeyFrame: isKeyFrame) == expected, "\(isKeyFrame) \(time) \(path)")
        }
      }
    }
  }

  // It has only frames that depend on others, so the index, which lists key frames, is empty and seeking does not work.
  private static let exceptions: Set = ["no-keyframe.mkv"]

  @Test(
    "They are the frames of a clip that was just opened",
    arguments: Scope.cases(
      FixtureManifest.shared.fixtures.filter { $0.cover != nil && !exceptions.contains($0.file) },
      quick: 40
    )
  )
  func fixtures(_ fixture: Fixture) throws {
    try compare(ProjectFolder.fixture(fixture.file))
  }

  @Test(
    "In all containers, with and without frames between key frames that refer to later ones",
    .enabled(if: Scope.isFull),
    arguments: ["mp4", "mov", "mkv", "avi", "ts", "mpg", "flv", "webm", "wmv", "ogv", "mxf", "nut"],
    ["0", "3"]
  )
  func containers(_ container: String, _ frames: String) async throws {
    let codec = ["avi": "mpeg4", "mpg": "mpeg2video", "mxf": "mpeg2video", "flv": "libx264", "webm": "libvpx"]
    let others = ["wmv": "wmv2", "ogv": "libtheora", "nut": "mpeg4"]
    let scratch = try ScratchFolder()
    let clip = scratch("clip.\(container)")
    let encoder = codec[container] ?? others[container] ?? "libx264"
    let reordering = ["libvpx", "libtheora", "wmv2"].contains(encoder) || container == "avi" ? [] : ["-bf", frames]
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-pix_fmt", "yuv420p", "-c:v", encoder, "-g", "20"]
        + reordering
    )
    try compare(clip)
  }

  @Test(
    "A key frame is found without decoding it, and the frames after it follow",
    .enabled(if: Scope.isFull),
    arguments: ["mp4", "mkv", "ts", "avi", "webm"]
  )
  func keyFrames(_ container: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("clip.\(container)")
    let encoder = ["avi": "mpeg4", "webm": "libvpx"][container] ?? "libx264"
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-pix_fmt", "yuv420p", "-c:v", encoder, "-g", "20"]
        + (encoder == "libx264" ? ["-sc_threshold", "0", "-bf", "2"] : [])
    )
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    try file.closeAfter {
      var decoder = try open(file)
      for (asked, key) in [(3.5, 3.2), (0.1, 0), (1.7, 1.6), (0.8, 0.8)] {
        let before = decoder.counters.framesDecoded
        let time = decoder.timeOfKeyFrame(before: .seconds(asked))
        let found = try #require(time)
        #expect(abs(found / .seconds(1) - key) < 0.001 && decoder.counters.framesDecoded == before, "\(asked) \(found)")
        let frame = try decoder.decodeKeyFrame()
        #expect(frame.is_key_frame && frame.presentationTime.map { abs($0.value - key) < 0.001 } == true)
        let next = try decoder.decodeNext()
        #expect(next?.presentationTime.map { abs($0.value - key - 0.04) < 0.001 } == true, "\(asked)")
      }
    }
  }

  @Test("In an MP4 whose edit list starts before its first key frame")
  func withoutKeyFrameBeforeTheStart() async throws {
    let scratch = try ScratchFolder()
    let whole = scratch("whole.mp4")
    try await GeneratedClips.make(
      whole,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "30"]
        + ["-bf", "3"]
    )
    // Without its first packet, which holds the key frame, the clip starts with frames that depend on it.
    let cut = scratch("cut.mp4")
    try await GeneratedClips.make(
      cut,
      ["-i", whole.string, "-c", "copy", "-copyinkf", "-bsf:v", "noise=drop=lt(n\\,1)"]
    )
    try compare(cut)
  }
}
