import SystemPackage
import TestSupport
import Testing

/// Frames selected by time in clips with unusual timestamps, compared with ffmpeg, which decodes all frames in order.
@Suite("--at selects the frame presented at that time")
struct TimesTests {
  /// Clips with 25 frames per second, and the number of frames that are presented.
  static let clips = [
    ("h264.mp4", 25), ("mpeg2.ts", 25), ("h264.ts", 25), ("audio-first.mkv", 10), ("edit-list.mp4", 15),
    ("edit-list-two.mp4", 25), ("edit-list-delay.mp4", 23), ("negative-offsets.mp4", 10), ("no-edit-list.mp4", 10),
    ("start-100s.mkv", 10), ("wraparound.ts", 25), ("absurd-duration.mp4", 10), ("unknown-duration.mkv", 10),
    ("sound-longer.mp4", 10),
  ]

  @Test("Seconds count from the start of the video", .enabled(if: Scope.isFull), arguments: clips)
  func seconds(_ fixture: String, _ frames: Int) async throws {
    for (text, frame) in [("first", 0), ("0", 0), ("0.13", 3), ("0.32", 8), ("0:00:30", frames - 1)] {
      let record = try await expectFrame(min(frame, frames - 1), of: fixture, at: text)
      #expect(record.warnings == (text == "0:00:30" ? ["the clip ends before 30 s; used the last frame"] : []))
    }
  }

  @Test(
    "Percentages refer to the video, even if the container's duration differs",
    .enabled(if: Scope.isFull),
    arguments: [
      ("h264.mp4", "50%", 12), ("h264.ts", "100%", 24), ("absurd-duration.mp4", "50%", 5),
      ("sound-longer.mp4", "50%", 5),
      ("start-100s.mkv", "50%", 5), ("edit-list.mp4", "0%", 0),
    ]
  )
  func percent(_ fixture: String, _ text: String, _ frame: Int) async throws {
    try await expectFrame(frame, of: fixture, at: text)
  }

  @Test("The frame presented at a time is never a later one, even if the times of a container are frame numbers")
  func notLater() async throws {
    let scratch = try ScratchFolder()
    for (text, seconds) in [("0.1", 0.08), ("0.12", 0.12), ("0.119", 0.08), ("0.3", 0.28)] {
      let (record, _) = try await CoverRun.record(
        of: ProjectFolder.fixture("mjpeg.avi"),
        to: scratch("cover.png"),
        ["--force", "--at", text]
      )
      #expect(record.actualTime.map { abs($0 - seconds) < 0.001 } == true, "\(text): \(record)")
    }
  }

  @Test("Without a duration, the first frame is used with a warning")
  func noDuration() async throws {
    let scratch = try ScratchFolder()
    // Pictures that follow one another, in a file that is not named as a stream of them.
    let clip = scratch("pictures")
    let source = ProjectFolder.fixture("h264.mp4").string
    let words = ["-v", "error", "-i", source, "-q:v", "2", "-f", "mjpeg", clip.string]
    try #require(try await Program.runTool("ffmpeg", words).exitStatus == 0)
    let (record, _) = try await CoverRun.record(of: clip, to: scratch("cover.png"), ["--at", "50%"])
    let warning = "the duration is unknown, so 50% cannot be found; used the first frame"
    #expect(record.status == "cover" && record.warnings == [warning], "\(record)")
  }

  @discardableResult
  private func expectFrame(_ frame: Int, of fixture: String, at text: String) async throws -> CoverRecord {
    let scratch = try ScratchFolder()
    let clip = ProjectFolder.fixture(fixture)
    let (record, _) = try await CoverRun.record(of: clip, to: scratch("cover.png"), ["--at", text])
    #expect(record.status == "cover", "\(record)")
    let seconds = Double(frame) / 25
    #expect(record.actualTime.map { abs($0 - seconds) < 0.0021 } == true, "\(text): \(record)")
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let difference = try #require(PixelDifference(cover, try await Oracle.cover(of: clip, frame: frame)))
    #expect(difference.decibels >= 40, "\(text): \(difference)")
    return record
  }
}
