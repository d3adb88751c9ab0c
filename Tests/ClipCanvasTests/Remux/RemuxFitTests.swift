import SystemPackage
import TestSupport
import Testing

/// What a container can hold, and what a copy must not lose silently.
@Suite("clipcanvas remux reports what does not fit")
struct RemuxFitTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let video = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
  private static let inputs = ["testsrc2=s=96x64:r=25:d=1", "sine=r=44100:d=1"]

  /// Returns the checksums of the packets of a kind of stream, as ffmpeg's demuxer gives them.
  private func packets(of name: String, _ stream: String) async throws -> [String] {
    let list = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-select_streams", stream, "-show_data_hash", "md5", "-show_entries", "packet=data_hash"]
        + ["-of", "csv=p=0", name],
      in: scratch.path
    )
    return list.text.matches(of: /MD5:[0-9a-f]+/).map { String($0.output) }
  }

  /// libavformat changes these packets as it reads them, also those that it reads to find out what the streams are.
  @Test("WavPack and WebVTT beside H.264 are copied whole", .enabled(if: Scope.isFull))
  func rewritten() async throws {
    try scratch.write(
      Array("WEBVTT\n\nintro\n00:00.000 --> 00:00.400 align:start\nOne\n\n00:00.500 --> 00:00.900\nTwo\n".utf8),
      as: "s.vtt"
    )
    try await TestClip.make("w.mkv", inputs: Self.inputs, Self.video + ["-c:a", "wavpack"], in: scratch)
    try await TestClip.make("v.mp4", inputs: Self.inputs, Self.video + ["-c:a", "aac"], in: scratch)
    let words = ["-v", "error", "-i", "v.mp4", "-i", "s.vtt", "-map", "0", "-map", "1", "-c", "copy", "v.mkv"]
    try #require(try await Program.runTool("ffmpeg", words, in: scratch.path).exitStatus == 0)
    // The sound begins long before the video, and Opus with a packet before the start.
    let late = [
      "-filter_complex", "[0:v]setpts=PTS+3/TB[v]", "-map", "[v]", "-map", "1:a", "-cluster_time_limit", "500",
    ]
    let sound = ["testsrc2=s=96x64:r=10:d=3", "sine=r=44100:d=6"]
    try await TestClip.make("l.mkv", inputs: sound, late + Self.video + ["-g", "10", "-c:a", "wavpack"], in: scratch)
    try await TestClip.make("o.webm", inputs: Self.inputs, ["-c:v", "libvpx", "-c:a", "libopus"], in: scratch)
    let more = ["-v", "error", "-i", "o.webm", "-i", "s.vtt", "-map", "0", "-map", "1", "-c", "copy", "t.webm"]
    try #require(try await Program.runTool("ffmpeg", more, in: scratch.path).exitStatus == 0)
    for (clip, streams) in [("w.mkv", "a"), ("v.mkv", "as"), ("l.mkv", "av"), ("t.webm", "avs")] {
      let result = try await scratch.remux([clip, "-o", "copy-" + clip])
      #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      for stream in streams {
        let wanted = try await packets(of: clip, "\(stream)")
        #expect(!wanted.isEmpty)
        #expect(try await packets(of: "copy-" + clip, "\(stream)") == wanted, "\(clip), \(stream)")
      }
    }
  }

  @Test("An encrypted clip is refused, with what to do about it")
  func encrypted() async throws {
    let key = String(repeating: "0f", count: 16)
    let encryption = ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", key, "-encryption_kid", key]
    try await TestClip.make("a.mp4", inputs: ["testsrc2=s=96x64:r=25:d=1"], Self.video + encryption, in: scratch)
    let result = try await scratch.remux(["a.mp4", "-o", "b.mp4"])
    let message = "a.mp4: the video is encrypted; decrypt the clip first, or use a copy without protection\n"
    #expect(result.exitStatus != 0 && result.errorOutput == message)
    #expect(try scratch.names() == ["a.mp4"])
  }

  /// Some files give a wrong unit of time for their sound.
  @Test(
    "Sound whose packets follow each other too fast is copied whole",
    .enabled(if: Scope.isFull),
    arguments: [4, 400],
    ["mkv", "mp4"]
  )
  func fast(_ divisor: Int, _ ending: String) async throws {
    try await TestClip.make("a.mp4", inputs: Self.inputs, Self.video + ["-c:a", "aac"], in: scratch)
    let words = ["-v", "error", "-i", "a.mp4", "-c", "copy", "-bsf:a", "setts=ts=TS/\(divisor)", "fast.mp4"]
    try #require(try await Program.runTool("ffmpeg", words, in: scratch.path).exitStatus == 0)
    let result = try await scratch.remux(["fast.mp4", "-o", "copy.\(ending)"])
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    let wanted = try await packets(of: "fast.mp4", "a")
    #expect(wanted.count > 30)
    #expect(try await packets(of: "copy.\(ending)", "a") == wanted)
  }

  @Test("The containers that can hold all of a clip are named, and none that cannot", .enabled(if: Scope.isFull))
  func named() async throws {
    let cases: [(name: String, coding: [String], ending: String, words: String)] = [
      (
        "a.webm", ["-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-c:a", "libopus"], "mp4",
        "MP4 cannot hold the transparency of its video; .mkv and .webm can; name such a file with -o"
      ),
      (
        "d.mov",
        ["-c:v", "dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p", "-s", "256x120", "-c:a", "pcm_s16le"],
        "mp4", "MP4 cannot hold its video (dnxhd); .mov and .mkv can; name such a file with -o"
      ),
      ("p.mov", Self.video + ["-c:a", "pcm_mulaw"], "mp4", "MP4 cannot hold its sound (pcm_mulaw); .mov and .mkv can"),
      (
        "l.ts", Self.video + ["-c:a", "aac", "-mpegts_flags", "latm"], "mp4",
        "MP4 cannot hold its sound (aac_latm); .mkv can"
      ),
    ]
    for (name, coding, ending, words) in cases {
      try await TestClip.make(name, inputs: Self.inputs, coding, in: scratch)
      let refused = try await scratch.remux([name, "-o", "copy.\(ending)"])
      #expect(refused.exitStatus == 1 && refused.errorOutput.contains(words), "\(refused.errorOutput)")
      let copied = try await scratch.remux([name, "-o", name + ".mkv"])
      #expect(copied.exitStatus == 0 && copied.errorOutput.isEmpty, "\(name): \(copied.errorOutput)")
      let frames = try await packets(of: name, "v").count
      #expect(try await packets(of: name + ".mkv", "v").count == frames && frames >= 25)
    }
  }

  /// Clips that some containers cannot hold.
  static let restricted = [
    "vp8.webm", "vp9.webm", "vp9-alpha.webm", "vp8-alpha.webm", "av1.mp4", "theora.ogv", "wmv2.wmv", "palette.gif",
    "mjpeg.avi", "ffv1-alpha.mkv", "h263.3gp", "dv.avi", "qtrle-alpha.mov", "mpeg2.mxf",
    "rotated-90.mp4", "png-alpha.mov", "pal8.avi", "artwork-first.mp4",
  ]

  @Test("Each container that a message names can hold the clip", arguments: Scope.cases(restricted, quick: 3))
  func advised(_ fixture: String) async throws {
    let clip = ProjectFolder.fixture(fixture).string
    let endings = ["mp4", "mov", "mkv", "webm"]
    var copied: Set<String> = []
    var advised: Set<String> = []
    for ending in endings {
      let result = try await scratch.remux([clip, "-o", "copy.\(ending)"])
      if result.exitStatus == 0 { copied.insert(ending) }
      guard let list = try #/; ([^;]+) can(;|$)/#.firstMatch(in: result.errorOutput)?.output.1 else { continue }
      advised.formUnion(list.matches(of: /\.([a-z0-9]+)/).map { String($0.output.1) })
    }
    #expect(advised.isSubset(of: copied), "advised: \(advised), possible: \(copied)")
    #expect(copied.isEmpty || copied.count == endings.count || !advised.isEmpty)
  }

  /// Makes an FLV of two frames of VP6, of 64 × 48 pixels.
  ///
  /// - Parameter crop: The numbers of columns and rows that are not shown.
  private func writeVP6(_ name: String, crop: UInt8) throws {
    var bytes: [UInt8] = Array("FLV".utf8) + [1, 1, 0, 0, 0, 9, 0, 0, 0, 0]
    for time: UInt8 in [0, 40] {
      // A key frame of version 6 with 3 rows and 4 columns of macroblocks; any data can be decoded.
      let frame: [UInt8] = [0x14, crop, 0x00, 0x36, 3, 4, 3, 4] + (0..<200).map { UInt8($0) }
      let size = UInt8(frame.count)
      bytes += [9, 0, 0, size, 0, 0, time, 0, 0, 0, 0] + frame + [0, 0, 0, size + 11]
    }
    try scratch.write(bytes, as: name)
  }

  @Test("VP6 is not copied to where it loses its crop, which only FLV states")
  func cropped() async throws {
    try writeVP6("whole.flv", crop: 0)
    try writeVP6("cropped.flv", crop: 0x25)
    let copied = try await scratch.remux(["whole.flv", "-o", "copy.mkv"])
    #expect(copied.exitStatus == 0 && copied.errorOutput.isEmpty, "\(copied.errorOutput)")
    let refused = try await scratch.remux(["cropped.flv", "-o", "cropped.mkv"])
    #expect(refused.exitStatus == 1)
    let words = "no file that ends in .mp4, .mov, .mkv or .webm can hold the crop of its video; re-encode it first"
    #expect(refused.errorOutput.contains(words), "\(refused.errorOutput)")
  }

  /// Browsers write the tag whether or not there is transparency.
  @Test("A tag of transparency alone does not keep a clip from MP4", .enabled(if: Scope.isFull))
  func tagged() async throws {
    let coding = ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-metadata:s:v", "alpha_mode=1", "-c:a", "libopus"]
    try await TestClip.make("a.webm", inputs: Self.inputs, coding, in: scratch)
    let result = try await scratch.remux(["a.webm", "-o", "a.mp4"])
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
  }

  @Test("Parts whose containers say less are joined", .enabled(if: Scope.isFull))
  func joined() async throws {
    try await TestClip.make("a.mp4", inputs: Self.inputs, Self.video + ["-c:a", "aac"], in: scratch)
    for part in ["b.mkv", "c.flv"] {
      let words = ["-v", "error", "-i", "a.mp4", "-c", "copy", part]
      try #require(try await Program.runTool("ffmpeg", words, in: scratch.path).exitStatus == 0)
      for clips in [["a.mp4", part], [part, "a.mp4"]] {
        let result = try await scratch.remux(clips + ["--force", "-o", "take.mkv"])
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
      }
    }
  }

  @Test("Chapters do not count as a stream that was left out, but a cover in MOV does", .enabled(if: Scope.isFull))
  func leftOut() async throws {
    try await TestClip.make("a.mp4", inputs: Self.inputs, Self.video + ["-c:a", "aac"], in: scratch)
    let chapters = ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n"
    try scratch.write(Array(chapters.utf8), as: "chapters")
    try await TestClip.make("cover.png", inputs: ["testsrc2=s=64x64:r=1:d=1"], [], in: scratch)
    for words in [
      ["-i", "a.mp4", "-i", "chapters", "-map_metadata", "1", "-c", "copy", "b.mp4"],
      [
        "-i", "a.mp4", "-i", "cover.png", "-map", "0", "-map", "1", "-c", "copy", "-disposition:v:1", "attached_pic",
        "c.mp4",
      ],
    ] {
      let made = try await Program.runTool("ffmpeg", ["-v", "error"] + words, in: scratch.path)
      try #require(made.exitStatus == 0, "\(made.errorOutput)")
    }
    let copied = try await scratch.remux(["b.mp4", "-o", "b2.mp4"])
    #expect(copied.exitStatus == 0 && copied.errorOutput.isEmpty, "\(copied.errorOutput)")
    let turned = try await scratch.remux(["c.mp4", "-o", "c.mov"])
    #expect(turned.exitStatus == 0 && turned.text.contains("1 video stream,"), "\(turned.text)")
    #expect(turned.errorOutput.contains("1 stream was left out"), "\(turned.errorOutput)")
  }

  @Test("A live WebM that was cut off is called that, and not damaged")
  func cutOff() async throws {
    try await TestClip.make(
      "a.webm",
      inputs: Self.inputs,
      ["-c:v", "libvpx", "-c:a", "libopus", "-live", "1"],
      in: scratch
    )
    let bytes = try ScratchFolder.read(scratch("a.webm"))
    try scratch.write(bytes.prefix(bytes.count * 2 / 3), as: "cut.webm")
    let result = try await scratch.remux(["cut.webm", "-o", "copy.mkv"])
    #expect(result.exitStatus == 0 && result.errorOutput.contains("it is cut off"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("unreadable parts"))
  }
}
