import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("The start time of a clip")
struct StartTimeTests {
  /// Expects the cover of a clip at a time to be a frame of a source, whose frame `first` is the first one of the clip.
  private func expect(
    _ clip: FilePath,
    at time: String,
    shows number: Int,
    of source: FilePath,
    from first: Int = 0,
    rate: Double = 25,
    in scratch: ScratchFolder
  ) async throws {
    var request = CoverRequest()
    request.time = try #require(RequestedTime(time))
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    #expect(abs((facts.actualTime ?? -1) - Double(number - first) / rate) < 0.0021, "\(time): \(facts)")
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let difference = try #require(PixelDifference(cover, try await Oracle.cover(of: source, frame: number)))
    #expect(difference.decibels >= 30, "\(time): \(difference)")
  }

  /// In these, libavformat finds no increasing DTS to derive the start from.
  @Test(
    "Times are counted from the first frame",
    .enabled(if: Scope.isFull),
    arguments: [("mpeg4", "2", "a.nut"), ("mpeg2video", "2", "a.nut"), ("libx264", "0", "a.asf")],
    [0, 37.5]
  )
  func start(_ clip: (encoder: String, reordered: String, name: String), _ offset: Double) async throws {
    let scratch = try ScratchFolder()
    try await GeneratedClips.make(
      scratch(clip.name),
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-g", "25", "-c:v", clip.encoder, "-bf", clip.reordered]
        + ["-pix_fmt", "yuv420p", "-output_ts_offset", "\(offset)"]
    )
    for (time, number) in [("first", 0), ("0", 0), ("1.01", 25), ("3.01", 75)] {
      try await expect(scratch(clip.name), at: time, shows: number, of: scratch(clip.name), in: scratch)
    }
  }

  /// The header gives the end of the part.
  @Test(
    "Percentages of a part of a longer recording count from its start",
    .enabled(if: Scope.isFull),
    arguments: ["libx264", "mpeg4"]
  )
  func parts(_ encoder: String) async throws {
    let scratch = try ScratchFolder()
    try await GeneratedClips.make(
      scratch("part-%d.mkv"),
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=12", "-g", "25", "-c:v", encoder, "-pix_fmt", "yuv420p"]
        + ["-f", "segment", "-segment_time", "4"]
    )
    let part = scratch("part-1.mkv")
    for (time, number) in [("0", 0), ("1.01", 25), ("30.5%", 30), ("50.5%", 50), ("70.5%", 70)] {
      try await expect(part, at: time, shows: number, of: part, in: scratch)
      let facts = try CoverExtractor.makeCover(of: part, in: scratch)
      #expect(abs((facts.durationSeconds ?? 0) - 4) < 0.05 && facts.warnings == [], "\(facts)")
    }
  }

  /// libavformat takes the time of the last packet for the duration.
  @Test(
    "Percentages of a clip that starts late count from its start",
    .enabled(if: Scope.isFull),
    arguments: ["a.flv", "a.nut"],
    ["100", "3600"]
  )
  func offset(_ name: String, _ offset: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch(name)
    let coding = ["-c:v", "libx264", "-bf", "0", "-g", "20", "-output_ts_offset", offset]
    let options = name.hasSuffix("flv") ? ["-flvflags", "no_duration_filesize"] : []
    try await GeneratedClips.make(clip, NumberedFrames.source(seconds: 4) + coding + options)
    // In NUT, the duration lacks the last frame.
    let missing = name.hasSuffix("flv") ? 0 : 1
    for (time, number) in [("first", 0), ("1.01", 25), ("51%", 51 - missing), ("76%", 76 - missing)] {
      try await expect(clip, at: time, showsNumber: number, in: scratch)
    }
    let facts = try CoverExtractor.makeCover(of: clip, in: scratch)
    #expect(abs((facts.durationSeconds ?? 0) + Double(missing) / 25 - 4) < 0.001, "\(facts)")
  }

  @Test("An APNG lasts as long as its frames are shown", .enabled(if: Scope.isFull))
  func animation() async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("a.apng")
    try await GeneratedClips.make(clip, NumberedFrames.source(seconds: 2) + ["-plays", "0"])
    for (time, number) in [("first", 0), ("1.01", 25), ("25.5%", 12), ("51%", 25), ("100%", 49)] {
      try await expect(clip, at: time, showsNumber: number, in: scratch)
    }
    var request = CoverRequest()
    request.sheet = SheetPlan(.spread(4))
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    #expect(facts.tiles?.times.count == 4 && facts.warnings == [], "\(facts)")
    #expect(facts.durationSeconds == 2, "\(facts)")
  }

  /// libavformat gives up looking for times of decoding before it has any, and then takes a later packet's.
  @Test(
    "Slow clips and clips of large frames start with their first frame",
    .enabled(if: Scope.isFull),
    arguments: ["a.mkv", "a.mp4"],
    ["0", "2"]
  )
  func slow(_ name: String, _ reordered: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch(name)
    let coding = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "5", "-bf", reordered]
    try await GeneratedClips.make(clip, ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=0.2:d=70"] + coding)
    for (time, number) in [("0", 0), ("2", 0), ("12", 2), ("33", 6), ("64", 12), ("66", 13)] {
      try await expect(clip, at: time, shows: number, of: clip, rate: 0.2, in: scratch)
    }
    let noise = "testsrc2=s=640x360:r=10:d=1.4,noise=alls=90:allf=t+u,format=yuv444p"
    let lossless = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-g", "5", "-bf", reordered]
    let large = scratch("large-" + name)
    try await GeneratedClips.make(large, ["-f", "lavfi", "-i", noise] + lossless)
    for (time, number) in [("0", 0), ("0.05", 0), ("0.31", 3), ("1.25", 12)] {
      try await expect(large, at: time, shows: number, of: large, rate: 10, in: scratch)
    }
  }

  // Encoders for phones write pictures that are shown before a key picture and need nothing that is before it.
  @Test("Frames that an edit list leaves out do not begin the clip", .enabled(if: Scope.isFull))
  func leftOut() async throws {
    let scratch = try ScratchFolder()
    let groups = "log-level=none:keyint=50:min-keyint=50:open-gop=0:radl=2:bframes=3:b-adapt=0:scenecut=0"
    try await GeneratedClips.make(
      scratch("whole.mp4"),
      NumberedFrames.source(seconds: 4) + ["-c:v", "libx265", "-x265-params", groups]
    )
    let clip = scratch("cut.mp4")
    try await GeneratedClips.make(clip, ["-ss", "2", "-i", scratch("whole.mp4").string, "-c", "copy"])
    for (time, number) in [("first", 50), ("0", 50), ("0.05", 51), ("1.01", 75), ("key:1", 50), ("51%", 75)] {
      try await expect(clip, at: time, showsNumber: number, from: 50, in: scratch)
    }
  }

  /// The reference is the clip that was cut, because ffmpeg shows frames before the cut with some decoders.
  @Test(
    "A clip that was cut without encoding it again starts where its edit list does",
    .enabled(if: Scope.isFull),
    arguments: [
      ["libx264", "-pix_fmt", "yuv420p"], ["libx265", "-x265-params", "log-level=none"], ["mpeg4", "-bf", "2"],
      ["libsvtav1", "-preset", "12"], ["libaom-av1", "-usage", "realtime", "-cpu-used", "8"], ["mjpeg"],
    ]
  )
  func cut(_ encoder: [String]) async throws {
    let scratch = try ScratchFolder()
    try await GeneratedClips.make(
      scratch("whole.mp4"),
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-g", "40", "-c:v"] + encoder
    )
    try await GeneratedClips.make(scratch("cut.mp4"), ["-ss", "1.3", "-i", scratch("whole.mp4").string, "-c", "copy"])
    for (time, number) in [("first", 33), ("0", 33), ("0.3", 40), ("2.01", 83)] {
      try await expect(scratch("cut.mp4"), at: time, shows: number, of: scratch("whole.mp4"), from: 33, in: scratch)
    }
  }

  /// libavformat stops reading before the first frame, and then takes the start of the sound.
  @Test(
    "Times are counted from the first frame, however late",
    .enabled(if: Scope.isFull),
    arguments: ["a.mkv", "a.ts", "a.flv", "a.nut"]
  )
  func late(_ name: String) async throws {
    let scratch = try ScratchFolder()
    try await GeneratedClips.make(
      scratch(name),
      ["-t", "123", "-f", "lavfi", "-i", "sine", "-itsoffset", "120"] + NumberedFrames.source(seconds: 3)
        + ["-map", "0", "-map", "1", "-c:v", "libx264", "-max_interleave_delta", "0"]
    )
    for (time, number) in [("first", 0), ("0", 0), ("1.01", 25), ("50.5%", 37), ("100%", 74)] {
      try await expect(scratch(name), at: time, showsNumber: number, in: scratch)
    }
  }

  /// Cut off at a key frame; the frames shown before it are predicted from it only.
  @Test("Frames that are shown before the first one stored count if they are whole", .enabled(if: Scope.isFull))
  func leading() async throws {
    let scratch = try ScratchFolder()
    let coding = ["-c:v", "libx265", "-x265-params", "keyint=24:min-keyint=24:radl=2:open-gop=0:log-level=none"]
    try await GeneratedClips.make(
      scratch("a-%d.ts"),
      NumberedFrames.source(seconds: 3) + coding + ["-f", "segment", "-segment_time", "0.5"]
    )
    let clip = scratch("a-1.ts")
    let numbers = try await ReferenceFrame.all(of: clip, size: PixelSize(width: 160, height: 128)).count
    let list = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=pts", "-of", "csv=p=0", clip.string]
    )
    let times = list.text.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    try #require(numbers > 20 && times[0] > (times.min() ?? 0))
    for time in ["first", "0"] {
      try await expect(clip, at: time, showsNumber: 22, from: 22, in: scratch)
    }
    try await expect(clip, at: "0.05", showsNumber: 23, from: 22, in: scratch)
    try await expect(clip, at: "0.41", showsNumber: 32, from: 22, in: scratch)
  }

  private func expect(
    _ clip: FilePath,
    at time: String,
    showsNumber number: Int,
    from first: Int = 0,
    in scratch: ScratchFolder
  ) async throws {
    var request = CoverRequest()
    request.time = try #require(RequestedTime(time))
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    #expect(abs((facts.actualTime ?? -1) - Double(number - first) / 25) < 0.0021, "\(time): \(facts)")
    #expect(try await NumberedFrames.number(ofPNG: scratch("cover.png")) == number && facts.warnings == [], "\(time)")
  }

  @Test(
    "A recording that starts with fields shown before the key frame has one first frame",
    .enabled(if: Scope.isFull),
    .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence))
  )
  func fields() async throws {
    let scratch = try ScratchFolder()
    let clip = SharedClips.path("valid/odd_name/Sony ILCE-7M3 (A7M3).mts")
    let copy = scratch("a.mkv")
    try await GeneratedClips.make(copy, ["-i", clip.string, "-map", "0:v:0", "-c", "copy"])
    let deinterlaced = "yadif=deint=interlaced"
    for (time, number) in [("first", 0), ("0", 0), ("0.05", 1), ("0.41", 10)] {
      var request = CoverRequest()
      request.time = try #require(RequestedTime(time))
      let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let frame = try await Oracle.cover(of: clip, frame: number, before: deinterlaced)
      #expect(try #require(PixelDifference(cover, frame)).decibels > 30, "\(time): \(facts)")
      #expect(abs((facts.actualTime ?? -1) - Double(number) / 25) < 0.0021, "\(time): \(facts)")
      // There are 13 frames. The last one is two fields, and only the first has a time.
      #expect(facts.durationSeconds == 0.52, "\(time): \(facts)")
    }
    // The copy lacks the times of its first two frames.
    var request = CoverRequest()
    request.time = .seconds(0.41)
    let facts = try CoverExtractor.makeCover(of: copy, request, in: scratch)
    #expect(facts.warnings == [] && facts.actualTime == 0.4, "\(facts)")
  }
}
