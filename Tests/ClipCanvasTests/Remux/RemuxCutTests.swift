import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Parts of clips, compared with what ffmpeg decodes from the whole clips.
@Suite("clipcanvas remux --from --to")
struct RemuxCutTests {
  /// The members of a record that the tests use.
  private struct Record: Decodable {
    struct Cut: Decodable {
      let fromSeconds, toSeconds: Double?
      let startSeconds, endSeconds, keyFrameSeconds: Double
    }
    struct Part: Decodable {
      let endedEarly, isDamaged, movedTimes: Bool
    }
    let status: String
    let durationSeconds: Double?
    let cut: Cut?
    let parts: [Part]?
    let message: String?
  }

  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func record(_ arguments: [String]) async throws -> Record {
    let result = try await scratch.remux(["--json", "--force"] + arguments)
    return try JSONDecoder().decode(Record.self, from: Data(result.output))
  }

  /// A clip of six seconds with a key frame each second, and the containers that a part of it is copied to.
  struct Source: CustomTestStringConvertible {
    let name: String
    let options: [String]
    var endings = ["mp4", "mov", "mkv"]
    /// Whether some frames are decoded before others that are shown earlier.
    var isReordered = false
    /// Whether movies hide the frames before the wanted one.
    var isHidden = true
    /// The number of the key frame at or before 2.3 s.
    var key = 50
    var testDescription: String { name }
  }

  private static let x264 = ["-c:v", "libx264", "-preset", "fast"]
  private static let mpeg2 = ["-c:v", "mpeg2video", "-bf", "2", "-sc_threshold", "1000000000"]
  private static let aac = ["-c:a", "aac"]

  static let sources = [
    Source(name: "b.mp4", options: x264 + ["-bf", "3"] + aac, isReordered: true),
    Source(name: "p.mov", options: x264 + ["-bf", "0", "-c:a", "pcm_s16le"], endings: ["mov", "mkv"]),
    Source(name: "b.mkv", options: x264 + ["-bf", "3"] + aac, isReordered: true),
    Source(name: "open.mkv", options: x264 + ["-bf", "3", "-x264-params", "open-gop=1"] + aac, isReordered: true),
    Source(name: "b.ts", options: x264 + ["-bf", "2"] + aac, isReordered: true),
    Source(name: "p.flv", options: x264 + ["-bf", "0"] + aac),
    Source(name: "p.avi", options: ["-c:v", "mpeg4", "-an"]),
    Source(name: "b.avi", options: ["-c:v", "mpeg4", "-bf", "2", "-sc_threshold", "1000000000"], isReordered: true),
    Source(name: "h264.avi", options: x264 + ["-bf", "2"], isReordered: true),
    Source(
      name: "fragments.mp4",
      options: x264 + ["-bf", "2", "-movflags", "+frag_keyframe+empty_moov"] + aac,
      isReordered: true
    ),
    Source(
      name: "hevc.mp4",
      options: ["-c:v", "libx265", "-x265-params", "bframes=3:log-level=none", "-tag:v", "hvc1"] + aac,
      isReordered: true
    ),
    Source(
      name: "mpeg2.mpg",
      options: mpeg2 + ["-c:a", "mp2"],
      endings: ["mp4", "mkv"],
      isReordered: true,
      isHidden: false
    ),
    Source(
      name: "mpeg2.ts",
      options: mpeg2 + ["-c:a", "mp2"],
      endings: ["mp4", "mkv"],
      isReordered: true,
      isHidden: false
    ),
    Source(name: "mpeg2.mxf", options: ["-c:v", "mpeg2video"], endings: ["mov", "mkv"], isHidden: false),
    Source(name: "wmv2.wmv", options: ["-c:v", "wmv2", "-c:a", "wmav2"], endings: ["mkv"]),
    Source(
      name: "vp9.webm",
      options: ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"],
      endings: ["webm", "mkv", "mp4"]
    ),
    Source(
      name: "av1.mp4",
      options: ["-c:v", "libaom-av1", "-cpu-used", "8", "-g", "25", "-force_key_frames", "0", "-c:a", "libopus"],
      endings: ["mp4", "mkv"],
      isHidden: false,
      key: 51
    ),
    // Its encoder ignores what is asked for.
    Source(name: "theora.ogv", options: ["-c:v", "libtheora", "-c:a", "libvorbis"], endings: ["mkv"], key: 0),
    Source(name: "mjpeg.avi", options: ["-c:v", "mjpeg", "-c:a", "pcm_s16le"], endings: ["mov", "mkv"], key: 57),
    Source(name: "prores.mov", options: ["-c:v", "prores", "-c:a", "pcm_s16le"], endings: ["mov", "mkv"], key: 57),
  ]

  @Test(
    "A part has the frames that ffmpeg decodes in it, from time 0 on",
    .enabled(if: Scope.isFull),
    arguments: sources
  )
  func frames(_ source: Source) async throws {
    let inputs = ["testsrc2=s=160x120:r=25:d=6", "sine=r=48000:d=6"]
    let options = ["-g", "250", "-force_key_frames", "expr:gte(t,n_forced)", "-pix_fmt", Self.format(source)]
    try await TestClip.make(source.name, inputs: inputs, options + source.options, in: scratch)
    let whole = try await RemuxedVideo(path: scratch(source.name)).hashes()
    try #require(whole.count == 150)
    for ending in source.endings {
      let record = try await record(["--from", "2.3", "--to", "4.1", source.name, "-o", "part.\(ending)"])
      let cut = try #require(record.cut, "\(ending): \(record.message ?? "")")
      // Each frame lasts 40 ms; that of 2.28 s is shown at 2.3 s, and that of 4.08 s is the last one before 4.1 s.
      let key = source.key
      let first = ending.hasPrefix("m") && ending != "mkv" && source.isHidden ? 57 : key
      #expect(cut.fromSeconds == 2.3 && cut.toSeconds == 4.1)
      #expect(abs(cut.keyFrameSeconds - 0.04 * Double(key)) < 0.003, "\(ending): \(cut)")
      #expect(abs(cut.startSeconds - 0.04 * Double(first)) < 0.003, "\(ending): \(cut)")
      let frames = try await RemuxedVideo(path: scratch("part.\(ending)")).frames()
      let most = source.isReordered ? 107 : 103
      #expect(frames.count >= 103 - first && frames.count <= most - first, "\(ending): \(frames.count)")
      let wanted = Array(whole.dropFirst(first).prefix(frames.count))
      #expect(
        frames.map(\.hash) == wanted,
        "\(ending): \(frames.count), found at \(whole.firstIndex(of: frames[0].hash) ?? -1)"
      )
      for (number, frame) in frames.enumerated() {
        #expect(abs(frame.time - 0.04 * Double(number)) < 0.0031, "\(ending): \(frame.time)")
      }
      // The sound may last for a little longer than the last frame.
      let end = cut.startSeconds + 0.04 * Double(frames.count)
      #expect(cut.endSeconds > end - 0.003 && cut.endSeconds < end + 0.05, "\(ending): \(cut)")
      #expect(record.parts?.allSatisfy { !$0.endedEarly && !$0.isDamaged && !$0.movedTimes } == true, "\(ending)")
    }
  }

  private static func format(_ source: Source) -> String {
    switch source.name {
    case "prores.mov": "yuv422p10le"
    case "mjpeg.avi": "yuvj420p"
    default: "yuv420p"
    }
  }

  @Test(
    "Sound and picture stay together, and end with the part",
    .enabled(if: Scope.isFull),
    arguments: [("mp4", "aac"), ("mkv", "aac"), ("mov", "pcm_s16le"), ("webm", "libopus")]
  )
  func sound(_ copy: (ending: String, codec: String)) async throws {
    let coding =
      copy.ending == "webm"
      ? ["-c:v", "libvpx", "-g", "25"] : Self.x264 + ["-bf", "2", "-g", "25", "-pix_fmt", "yuv420p"]
    let source = "a.\(copy.ending)"
    try await TestClip.flashing(source, seconds: 8, coding + ["-c:a", copy.codec], in: scratch)
    for (from, to) in [("2.6", "5.1"), ("1", "3"), ("3.1", nil)] as [(String, String?)] {
      let name = "part.\(copy.ending)"
      let limits = ["--from", from] + (to.map { ["--to", $0] } ?? [])
      let cut = try #require(try await record(limits + [source, "-o", name]).cut)
      let video = RemuxedVideo(path: scratch(name))
      let flashes = try await video.flashes()
      let beeps = try await video.beeps()
      // One of both may be cut off by the limits.
      let pairs = flashes.compactMap { flash in beeps.first { abs($0 - flash) < 0.2 }.map { ($0, flash) } }
      try #require(pairs.count >= 4, "\(flashes) \(beeps)")
      for (beep, flash) in pairs { #expect(abs(beep - flash) < 0.045, "\(from): \(beep) \(flash)") }
      for flash in flashes {
        // Flashes are at 0.25 s, 0.75 s and so on.
        let time = flash + cut.startSeconds
        #expect(abs((time - 0.25) * 2 - ((time - 0.25) * 2).rounded()) < 0.09, "\(flash) \(cut)")
      }
      let duration = try #require(try await video.duration())
      #expect(abs(duration - (cut.endSeconds - cut.startSeconds)) < 0.05, "\(duration) \(cut)")
    }
  }

  @Test(
    "Without a key frame between, the part starts with the clip, and only a movie hides that",
    .enabled(if: Scope.isFull)
  )
  func singleKey() async throws {
    // Its gradual refreshes are marked as key frames.
    let fixture = ProjectFolder.fixture("intra-refresh.mp4")
    let whole = try await RemuxedVideo(path: fixture).frames()
    let middle = whole[whole.count / 2].time
    let from = ["--from", "\(middle + 0.001)", fixture.string, "-o"]
    for (name, count) in [("a.mkv", whole.count), ("a.mp4", whole.count - whole.count / 2)] {
      let cut = try #require(try await record(from + [name]).cut)
      let hashes = try await RemuxedVideo(path: scratch(name)).hashes()
      #expect(hashes == whole.suffix(count).map(\.hash), "\(name): \(cut)")
    }
  }

  @Test("A transport stream whose clock starts again is cut at the same times", .enabled(if: Scope.isFull))
  func wraparound() async throws {
    let fixture = ProjectFolder.fixture("wraparound.ts")
    let whole = try await RemuxedVideo(path: fixture).frames()
    let origin = try #require(whole.first?.time)
    let from = try #require(whole.dropFirst(whole.count / 2).first?.time) - origin
    let cut = try #require(try await record(["--from", "\(from + 0.001)", fixture.string, "-o", "a.mp4"]).cut)
    let hashes = try await RemuxedVideo(path: scratch("a.mp4")).hashes()
    #expect(hashes == whole.filter { $0.time - origin > cut.startSeconds - 0.005 }.map(\.hash), "\(cut)")
  }

  @Test("Chapters and subtitles are those of the part", .enabled(if: Scope.isFull), arguments: ["mp4", "mkv"])
  func chapters(_ ending: String) async throws {
    let chapters = [(0, 2), (2, 4), (4, 6)].enumerated().map { number, times in
      "[CHAPTER]\nTIMEBASE=1/1\nSTART=\(times.0)\nEND=\(times.1)\ntitle=\(number)\n"
    }
    try scratch.write(Array((";FFMETADATA1\n" + chapters.joined()).utf8), as: "chapters")
    let lines = (0..<6).map { "\($0 + 1)\n00:00:0\($0),500 --> 00:00:0\($0 + 1),200\nline \($0)\n" }
    try scratch.write(Array(lines.joined(separator: "\n").utf8), as: "lines.srt")
    let words = [
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=6", "-i", "lines.srt", "-i", "chapters",
    ]
    let result = try await Program.runTool(
      "ffmpeg",
      words + ["-map", "0", "-map", "1", "-map_chapters", "2"] + Self.x264
        + ["-bf", "0", "-g", "25", "-pix_fmt", "yuv420p", "-c:s", ending == "mp4" ? "mov_text" : "srt", "a.\(ending)"],
      in: scratch.path
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    _ = try await record(["--from", "3", "--to", "5", "a.\(ending)", "-o", "b.\(ending)"])
    let show = ["-v", "error", "-of", "csv=p=0", "b.\(ending)"]
    let found = try await Program.runTool(
      "ffprobe",
      ["-show_entries", "chapter=start_time,end_time:chapter_tags=title"] + show,
      in: scratch.path
    )
    #expect(found.text == "0.000000,1.000000,1\n1.000000,2.000000,2\n")
    let texts = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-i", "b.\(ending)", "-f", "srt", "-"],
      in: scratch.path
    )
    let shown = (0..<6).filter { texts.text.contains("line \($0)\n") }
    // The subtitle of 2.5 to 3.2 s starts before the part, where Matroska cannot hide anything.
    #expect(shown == (ending == "mp4" ? [2, 3, 4] : [3, 4]), "\(texts.text)")
  }

  @Test("What cannot be cut is an error that names the reason, and nothing is written")
  func errors() async throws {
    let clip = ProjectFolder.fixture("h264.mp4").string
    let cases: [([String], Int32, String)] = [
      (["--from", "90", clip, "-o", "a.mp4"], 1, "its video ends at 1 s, so no part starts at 90 s"),
      (["--from", "100%", clip, "-o", "a.mp4"], 1, "its video ends at 1 s, so no part starts at 1 s"),
      (["--from", "60%", "--to", "50%", clip, "-o", "a.mp4"], 1, "the part from 0.6 s to 0.5 s is empty"),
      (["--from", "2", "--to", "1", clip, "-o", "a.mp4"], 64, "the part from 2.0 to 1.0 is empty"),
      (["--from", "1", "--to", "1", clip, "-o", "a.mp4"], 64, "is empty"),
      (["--to", "0", clip, "-o", "a.mp4"], 64, "leaves nothing of the clip"),
      (["--from", "-1", clip, "-o", "a.mp4"], 64, "times cannot be negative"),
      (["--from", "key:1", clip, "-o", "a.mp4"], 64, "is not a time that a part can start or end at"),
      (["--from", "1", clip, clip, "-o", "a.mp4"], 64, "cut each one, then join the parts"),
      (["--from", "1", ProjectFolder.fixture("sound-only.m4a").string, "-o", "a.mp4"], 1, "no video stream"),
      (["--from", "0.5", ProjectFolder.fixture("truncated-no-index.mp4").string, "-o", "a.mp4"], 1, ""),
    ]
    for (arguments, status, message) in cases {
      let result = try await scratch.remux(arguments)
      #expect(result.exitStatus == status, "\(arguments): \(result)")
      #expect(message.isEmpty || result.errorOutput.contains(message), "\(arguments): \(result.errorOutput)")
      #expect(!ProjectFolder.isThere(scratch("a.mp4")), "\(arguments)")
    }
  }

  @Test("The printed line states where the part starts and ends")
  func line() async throws {
    try await TestClip.make(
      "a.mp4",
      inputs: ["testsrc2=s=64x48:r=25:d=3"],
      Self.x264 + ["-bf", "0", "-g", "25", "-pix_fmt", "yuv420p"],
      in: scratch
    )
    for (ending, line) in [
      ("mkv", "from 1 s (1.5 s wanted, a key frame) to 2.2 s"),
      ("mp4", "from 1.48 s (1.5 s wanted, decoded from the key frame at 1 s) to 2.2 s"),
    ] {
      let result = try await scratch.remux(["--from", "50%", "--to", "2.2", "a.mp4", "-o", "b.\(ending)"])
      #expect(result.text.hasSuffix("\n\(line)\n"), "\(result)")
    }
  }
}
