import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Measures the work for a cover by counters rather than by time.
@Suite("Limits on the work for a cover")
struct ClipDecoderTests {
  private func withFile<Result>(_ fixture: String, _ body: (FileDescriptor) throws -> Result) throws -> Result {
    let file = try FileDescriptor.open(ProjectFolder.fixture(fixture), .readOnly, options: .closeOnExec)
    return try file.closeAfter { try body(file) }
  }

  private func cover(of fixture: String, _ request: CoverRequest) throws -> CoverFacts {
    try CoverExtractor.makeCover(of: ProjectFolder.fixture(fixture), request, in: ScratchFolder())
  }

  @Test(
    "Opening a clip by its header reads no packets",
    arguments: [
      "h264.mp4", "h264-faststart.mov", "hevc.mkv", "vp9.webm", "1080p.mp4", "elementary.h264", "qtrle-alpha.mov",
    ]
  )
  func header(_ fixture: String) throws {
    try withFile(fixture) { file in
      let counters = try ClipDecoder(descriptor: file.rawValue, completely: false).counters
      #expect(counters.packetsRead == 0 && counters.framesDecoded == 0)
      #expect(counters.bytesRead <= 256 * 1024)
    }
  }

  // These streams have no header, and 80 KB for each picture. Their first packets contain what is needed to decode, so
  // nothing is read to learn, for example, the frame rate.
  @Test(
    "Opening an elementary stream reads only its start",
    .enabled(if: Scope.isFull),
    arguments: [("h264", "libx264"), ("hevc", "libx265")]
  )
  func elementaryStream(_ container: String, _ encoder: String) async throws {
    let scratch = try ScratchFolder()
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4,noise=alls=60:allf=t"]
        + ["-c:v", encoder, "-preset", "ultrafast", "-crf", "10", "-f", container, scratch("clip").string]
    )
    try #require(result.exitStatus == 0)
    let file = try FileDescriptor.open(scratch("clip"), .readOnly, options: .closeOnExec)
    try file.closeAfter {
      #expect(try file.seek(offset: 0, from: .end) > 2 << 20)
      let clip = try ClipDecoder(descriptor: file.rawValue, completely: false)
      #expect(clip.facts.container == container && clip.counters.bytesRead <= 384 * 1024, "\(clip.counters.bytesRead)")
    }
  }

  @Test("The descriptor's offset is neither used nor changed")
  func offset() throws {
    try withFile("h264.mp4") { file in
      try file.seek(offset: 77, from: .start)
      let facts = try ClipDecoder(descriptor: file.rawValue).facts
      #expect(facts.codec == "h264" && facts.storedWidth == 160)
      #expect(try file.seek(offset: 0, from: .current) == 77)
    }
  }

  @Test(
    "Facts contain the number of streams, artwork and the type",
    arguments: [
      ("h264.mp4", "video/mp4", 1, 1, 0), ("h264-faststart.mov", "video/quicktime", 1, 0, 0),
      ("vp9.webm", "video/webm", 1, 0, 0), ("h264.mkv", "video/x-matroska", 1, 1, 0),
      ("artwork.mp4", "video/mp4", 1, 0, 1),
      ("two-videos.mkv", "video/x-matroska", 2, 0, 0), ("h264.ts", "video/mp2t", 1, 0, 0),
    ]
  )
  func streams(_ fixture: String, _ type: String, _ video: Int, _ audio: Int, _ artwork: Int) throws {
    try withFile(fixture) { file in
      let facts = try ClipDecoder(descriptor: file.rawValue).facts
      #expect(facts.mimeType == type)
      #expect(facts.videoStreams == video && facts.artworkStreams == artwork)
      #expect(facts.audioStreams == audio)
    }
  }

  @Test("A bit rate missing from the container is unknown rather than 0")
  func bitRate() throws {
    try withFile("unknown-duration.mkv") { file in
      let facts = try CoverExtractor.probe(file.rawValue).facts
      #expect(facts.bitsPerSecond == nil)
    }
  }

  // Around 1300 bytes are shown for 6000 s.
  @Test("A bit rate of 1 is reported")
  func slowestBitRate() async throws {
    let scratch = try ScratchFolder()
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=s=16x16:r=1/6000", "-frames:v", "1", "-c:v", "libx264"]
        + [scratch("slow.mkv").string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let bytes = try ScratchFolder.read(scratch("slow.mkv")).count
    try #require((6000 / 8..<12_000 / 8).contains(bytes), "\(bytes) bytes")
    let file = try FileDescriptor.open(scratch("slow.mkv"), .readOnly, options: .closeOnExec)
    let facts = try file.closeAfter { try CoverExtractor.probe(file.rawValue).facts }
    #expect(facts.durationSeconds == 6000 && facts.bitsPerSecond == 1)
  }

  // The header of these containers has neither the duration nor, for MPEG-TS, the size.
  @Test("The facts of a cover are complete if the header lacks some", arguments: [("h264.ts", 1.0), ("mpeg2.ts", 1.0)])
  func completeFacts(_ fixture: String, _ duration: Double) throws {
    let seconds = try #require(try cover(of: fixture, CoverRequest()).durationSeconds)
    #expect(abs(seconds - duration) <= 0.1)
  }

  @Test("A descriptor that cannot be read fails as an input or output error")
  func unreadable() throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"))
    let file = try FileDescriptor.open(scratch("h264.mp4"), .writeOnly, options: .closeOnExec)
    defer { try? file.close() }
    let failure = #expect(throws: CoverFailure.self) { try CoverExtractor.probe(file.rawValue) }
    #expect(failure?.stage == .probe && failure?.cause == .inputOutput)
  }

  @Test("A full disk is reported in every format", arguments: CoverFormat.allCases)
  func fullDisk(_ format: CoverFormat) throws {
    let full = try FileDescriptor.open("/dev/full", .writeOnly, options: .closeOnExec)
    defer { try? full.close() }
    var request = CoverRequest()
    request.format = format
    let failure = try withFile("h264.mp4") { file in
      #expect(throws: CoverFailure.self) {
        try CoverExtractor.makeCover(of: file.rawValue, request: request, into: full.rawValue)
      }
    }
    #expect(failure?.stage == .encode && failure?.cause == .outputFailed && failure?.code == 28)  // ENOSPC
  }

  @Test(
    "A rotation other than a quarter turn is reported",
    arguments: [("matrix-45.mp4", true), ("matrix-zero.mp4", true), ("rotated-90.mp4", false), ("h264.mp4", false)]
  )
  func oddRotation(_ fixture: String, _ isReported: Bool) throws {
    let facts = try cover(of: fixture, CoverRequest())
    #expect(facts.warnings.contains { $0.hasPrefix("the rotation is not a multiple of 90°") } == isReported)
  }

  @Test("An invalid quality is rejected as misuse", arguments: [0, 101])
  func wrongQuality(_ quality: Int) throws {
    var request = CoverRequest()
    (request.format, request.quality) = (.jpeg, quality)
    let failure = #expect(throws: CoverFailure.self) { try cover(of: "h264.mp4", request) }
    #expect(failure?.stage == .encode && failure?.cause == .misuse && failure?.code == 0)
  }

  @Test("Stream 0 is not replaced by another stream")
  func firstStream() throws {
    try withFile("audio-first.mkv") { file in
      let failure = #expect(throws: CoverFailure.self) {
        _ = try ClipDecoder(descriptor: file.rawValue, stream: 0).facts
      }
      #expect(failure?.cause == .noVideoStream && failure?.message.hasPrefix("stream 0 is not video") == true)
      let facts = try ClipDecoder(descriptor: file.rawValue, stream: 1).facts
      #expect(facts.codec == "h264")
    }
  }

  @Test("A container with more streams than the limit is refused, and 0 means no limit")
  func streamLimit() throws {
    try withFile("h264.mp4") { file in
      let facts = try ClipDecoder(descriptor: file.rawValue, limits: ClipDecoder.Limits(maximumStreams: 0)).facts
      #expect(facts.videoStreams == 1 && facts.audioStreams == 1)
      let failure = #expect(throws: CoverFailure.self) {
        _ = try ClipDecoder(descriptor: file.rawValue, limits: ClipDecoder.Limits(maximumStreams: 1)).facts
      }
      #expect(failure?.cause == .tooLarge && failure?.message == "the clip has more than 1 streams")
    }
  }

  @Test("A picture with more pixels than the limit is refused before it is decoded")
  func pixelLimit() throws {
    try withFile("1080p.mp4") { file in
      let limits = ClipDecoder.Limits(maximumPixels: 1920 * 1080 - 1)
      let scratch = try ScratchFolder()
      let output = try scratch.create("cover.png")
      defer { try? output.close() }
      let failure = #expect(throws: CoverFailure.self) {
        try CoverExtractor.makeCover(of: file.rawValue, request: CoverRequest(), into: output.rawValue, limits: limits)
      }
      #expect(
        failure?.cause == .tooLarge && failure?.message.contains("1920×1080") == true,
        "\(String(describing: failure))"
      )
      #expect(try output.seek(offset: 0, from: .end) == 0)
    }
  }

  @Test("A deadline beyond 64 bits of microseconds is not a limit", arguments: [Int64.min, Int64.max])
  func extremeDeadlines(_ seconds: Int64) throws {
    try withFile("h264.mp4") { file in
      let facts = try ClipDecoder(descriptor: file.rawValue, limits: ClipDecoder.Limits(deadline: .seconds(seconds)))
        .facts
      #expect(facts.codec == "h264")
    }
  }

  @Test("The durations of the stages add up to at most the total time")
  func stageTimes() throws {
    try withFile("1x1.mkv") { file in
      let scratch = try ScratchFolder()
      let output = try scratch.create("cover.png")
      defer { try? output.close() }
      var times: CoverFacts.StageTimes?
      let whole = try ContinuousClock().measure {
        times = try CoverExtractor.makeCover(of: file.rawValue, request: CoverRequest(), into: output.rawValue)
          .milliseconds
      }
      let stage = try #require(times)
      let stages = [stage.open, stage.decode, stage.convert, stage.encode]
      #expect(stages.allSatisfy { $0 >= 0 } && stages.reduce(0, +) <= whole / .milliseconds(1))
    }
  }

  @Test("A deadline ends the work on a clip that arrives slowly", .enabled(if: Scope.isFull))
  func slowPipe() async throws {
    let ends = try FileDescriptor.pipe()
    let clip = try ScratchFolder.read(ProjectFolder.fixture("1080p.mp4"))
    let sender = Task.detached {
      // A byte at a time never completes the clip.
      var sent = 0
      while sent < clip.count, !Task.isCancelled, (try? ends.writeEnd.writeAll(clip[sent...sent])) != nil {
        sent += 1
        try? await pause(.milliseconds(20))
      }
      return sent
    }
    defer { try? ends.writeEnd.close() }
    let failure = #expect(throws: CoverFailure.self) {
      _ = try ClipDecoder(descriptor: ends.readEnd.rawValue, limits: ClipDecoder.Limits(deadline: .seconds(1.2))).facts
    }
    sender.cancel()
    #expect(failure?.cause == .timedOut)
    #expect(await sender.value < clip.count)
    try ends.readEnd.close()
  }

  @Test("A deadline that has passed ends the work", .enabled(if: Scope.isFull))
  func deadline() throws {
    try withFile("1080p.mp4") { file in
      let failure = #expect(throws: CoverFailure.self) {
        _ = try ClipDecoder(descriptor: file.rawValue, limits: ClipDecoder.Limits(deadline: .microseconds(1))).facts
      }
      #expect(failure?.cause == .timedOut)
    }
  }
}
