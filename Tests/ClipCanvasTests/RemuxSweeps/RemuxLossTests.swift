import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// What a copy reports about clips with missing parts.
@Suite("clipcanvas remux reports what is missing")
struct RemuxLossTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func record(_ arguments: [String]) async throws -> RemuxTests.Record {
    let result = try await scratch.remux(["--json", "--force"] + arguments)
    return try JSONDecoder().decode(RemuxTests.Record.self, from: Data(result.output))
  }

  private func part(_ arguments: [String]) async throws -> RemuxTests.Record.Part {
    let record = try await record(arguments)
    return try #require(record.parts?.first, "\(record)")
  }

  /// Containers, with the codecs of the clip and further options.
  static let containers: [(ending: String, options: [String])] = [
    ("mkv", ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"]),
    ("webm", ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]),
    ("avi", ["-c:v", "mpeg4", "-c:a", "mp3"]), ("flv", ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"]),
    ("ts", ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"]), ("wmv", ["-c:v", "wmv2", "-c:a", "wmav2"]),
    ("mp4", ["-c:v", "libx264", "-c:a", "aac", "-movflags", "faststart"]),
    ("mp4", ["-c:v", "libx264", "-g", "10", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]),
    ("ogv", ["-c:v", "libtheora", "-c:a", "libvorbis"]), ("nut", ["-c:v", "mpeg4", "-c:a", "mp2"]),
  ]

  private func makeClip(_ name: String, _ options: [String]) async throws -> [UInt8] {
    let inputs = ["testsrc2=s=160x120:d=2", "sine=r=48000:d=2"]
    try await TestClip.make(name, inputs: inputs, options + ["-pix_fmt", "yuv420p"], in: scratch)
    return try ScratchFolder.read(scratch(name))
  }

  @Test(
    "A clip that was cut off is reported, and a whole clip is not",
    .enabled(if: Scope.isFull),
    arguments: containers
  )
  func cut(_ container: (ending: String, options: [String])) async throws {
    let whole = try await makeClip("a.\(container.ending)", container.options)
    let intact = try await part(["a.\(container.ending)", "-o", "copy.mkv"])
    #expect(!intact.endedEarly && !intact.isDamaged && !intact.movedTimes)
    try scratch.write(whole[..<(whole.count * 3 / 5)], as: "cut.\(container.ending)")
    let cut = try await part(["cut.\(container.ending)", "-o", "copy.mkv"])
    // NUT does not state where it ends, and ffmpeg itself finds no fault in such files.
    #expect(cut.endedEarly == !["ts", "wmv", "ogv", "nut"].contains(container.ending))
    #expect(cut.durationSeconds > 0.4 && cut.durationSeconds < 1.6)
  }

  @Test(
    "Recordings to a pipe, which state no end, are whole",
    .enabled(if: Scope.isFull),
    arguments: ["matroska", "webm", "avi", "asf", "flv"]
  )
  func pipes(_ format: String) async throws {
    let video = format == "webm" ? "libvpx" : format == "flv" ? "flv1" : "mpeg4"
    let sound = format == "webm" ? "libopus" : "mp3"
    let words = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:d=2", "-f", "lavfi", "-i", "sine=r=44100:d=2"]
    let codecs = ["-c:v", video, "-pix_fmt", "yuv420p", "-c:a", sound, "-f", format, "-"]
    let result = try await Program.runTool("ffmpeg", words + codecs, in: scratch.path)
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    try scratch.write(result.output, as: "pipe")
    let part = try await part(["pipe", "-o", "copy.mkv"])
    #expect(!part.endedEarly && !part.isDamaged && abs(part.durationSeconds - 2) < 0.1)
  }

  @Test("Damage in the middle is reported, whether or not the container states a duration", .enabled(if: Scope.isFull))
  func holes() async throws {
    let options = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"]
    let whole = try await makeClip("a.webm", options)
    let live = try await makeClip("live.webm", options + ["-live", "1"])
    let clusters = try await makeClip("clusters.mkv", options + ["-cluster_time_limit", "250"])
    var numbers = SeededNumbers(seed: 21)
    let noise = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    for (bytes, hole, endsEarly) in [
      (whole, noise, true), (whole, Array(repeating: 0, count: 5000), true), (live, noise, false),
      (clusters, noise, false),
    ] {
      var damaged = bytes
      damaged.replaceSubrange(bytes.count * 2 / 5..<bytes.count * 2 / 5 + hole.count, with: hole)
      try scratch.write(damaged, as: "hole.mkv")
      let part = try await part(["hole.mkv", "-o", "copy.mkv"])
      #expect(part.isDamaged && part.endedEarly == endsEarly)
      let result = try await scratch.remux(["hole.mkv", "-o", "copy.mkv", "--force"])
      let message =
        endsEarly
        ? #/warning: hole\.mkv: it is cut off or damaged after/#
        : #/warning: hole\.mkv: it is damaged, first at \d\.\d s, and the unreadable parts are/#
      #expect(result.exitStatus == 0 && result.errorOutput.contains(message), "\(result.errorOutput)")
    }
  }

  @Test("Packets that a transport stream lost are reported, and the others are copied", .enabled(if: Scope.isFull))
  func lostPackets() async throws {
    let whole = try await makeClip("a.ts", ["-c:v", "libx264", "-bf", "2", "-g", "25", "-c:a", "aac"])
    let packets = whole.count / 188
    for place in stride(from: packets / 5, to: packets * 4 / 5, by: packets / 10) {
      var lost = whole
      lost.removeSubrange(place * 188..<(place + 7) * 188)
      var torn = whole
      torn.replaceSubrange(place * 188 + 40..<place * 188 + 900, with: [UInt8](repeating: 0, count: 860))
      for damaged in [lost, torn] {
        try scratch.write(damaged, as: "damaged.ts")
        for copy in ["copy.mp4", "copy.mkv"] {
          let part = try await part(["damaged.ts", "-o", copy])
          #expect(part.isDamaged && part.durationSeconds > 1.9, "\(place): \(part)")
          let time = 2 * Double(place) / Double(packets)
          #expect(abs((part.damagedAtSeconds ?? -1) - time) < 0.4, "\(part), not at \(time)")
        }
      }
    }
  }

  /// The number of packets of all streams that ffprobe finds.
  private func packets(_ name: String) async throws -> Int {
    let words = ["-v", "quiet", "-show_entries", "packet=stream_index", "-of", "csv=p=0", name]
    let result = try await Program.runTool("ffprobe", words, in: scratch.path)
    return result.text.split(separator: "\n").count { $0.first?.isNumber == true }
  }

  @Test(
    "The packets that ffprobe finds are counted: each is copied, lost, or not needed",
    .enabled(if: Scope.isFull),
    arguments: containers
  )
  func counted(_ container: (ending: String, options: [String])) async throws {
    let whole = try await makeClip("a.\(container.ending)", container.options)
    let intact = try await part(["a.\(container.ending)", "-o", "copy.mkv"])
    #expect(try await intact.packetsRead == packets("a.\(container.ending)"), "\(intact)")
    #expect(try await intact.packets == packets("copy.mkv") && intact.packets == intact.packetsRead, "\(intact)")
    #expect(intact.packetsLost == 0 && intact.damagedAtSeconds == nil && intact.movedAtSeconds == nil, "\(intact)")
    var numbers = SeededNumbers(seed: 41)
    for _ in 0..<4 {
      let place = Int.random(in: whole.count / 3..<whole.count * 2 / 3, using: &numbers)
      var torn = whole
      torn.replaceSubrange(place..<place + 600, with: (0..<600).map { _ in UInt8.random(in: 0...255, using: &numbers) })
      try scratch.write(torn, as: "torn.\(container.ending)")
      // Some damage is refused.
      guard let part = try await record(["torn.\(container.ending)", "-o", "copy.mkv"]).parts?.first else { continue }
      #expect(part.packets + part.packetsLost <= part.packetsRead, "\(place): \(part)")
      #expect(try await packets("copy.mkv") == part.packets, "\(place): \(part)")
      #expect(part.packetsLost == 0 || part.isDamaged || part.endedEarly || part.movedTimes, "\(place): \(part)")
      #expect(part.isDamaged == (part.damagedAtSeconds != nil), "\(place): \(part)")
    }
  }

  @Test(
    "Raw MPEG, whose first packet is looked at, and pictures that begin like files are copied whole",
    .enabled(if: Scope.isFull),
    arguments: [
      ("m2v", ["mpeg2video", "-bf", "2"]), ("m1v", ["mpeg1video"]), ("m4v", ["mpeg4"]), ("mov", ["jpeg2000"]),
    ],
    [1, 2, 25]
  )
  func whole(_ clip: (ending: String, encoder: [String]), _ frames: Int) async throws {
    let options = ["-frames:v", "\(frames)", "-pix_fmt", "yuv420p", "-c:v"] + clip.encoder
    try await TestClip.make("a.\(clip.ending)", inputs: ["testsrc2=s=160x120:d=2"], options, in: scratch)
    let copied = try await part(["a.\(clip.ending)", "-o", "copy.mov"])
    #expect(copied.packetsRead == frames && copied.packets == frames && copied.packetsLost == 0, "\(copied)")
    let wanted = try await RemuxedVideo(path: scratch("a.\(clip.ending)")).hashes()
    #expect(try await RemuxedVideo(path: scratch("copy.mov")).hashes() == wanted && wanted.count == frames)
  }

  @Test("A track without packets is left out of MP4, and kept in Matroska", .enabled(if: Scope.isFull))
  func emptyTrack() async throws {
    _ = try await makeClip("a.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"])
    let words = ["-v", "error", "-i", "a.webm", "-c", "copy", "-bsf:a", "noise=drop=1", "empty.webm"]
    try #require(try await Program.runTool("ffmpeg", words, in: scratch.path).exitStatus == 0)
    for (ending, leftOut) in [("mp4", 1), ("mkv", 0)] {
      #expect(try await part(["empty.webm", "-o", "b.\(ending)"]).streamsLeftOut == leftOut)
      #expect(try await RemuxedVideo(path: scratch("b.\(ending)")).frames().count == 50)
    }
  }

  /// Removes packets of the sound of a transport stream: those before a part of the file, from 0 to 1.
  private func silence(_ whole: [UInt8], until part: Double) -> [UInt8] {
    let sound: UInt16 = 0x101
    return stride(from: 0, to: whole.count, by: 188).map { whole[$0..<$0 + 188] }.filter { packet in
      let id = UInt16(packet[packet.startIndex + 1] & 0x1F) << 8 | UInt16(packet[packet.startIndex + 2])
      return id != sound || Double(packet.startIndex) >= Double(whole.count) * part
    }.flatMap { $0 }
  }

  @Test(
    "Sound that a transport stream announces and does not have is left out, and late sound is not lost",
    .enabled(if: Scope.isFull)
  )
  func announcedSound() async throws {
    let inputs = ["testsrc2=s=160x120:r=25:d=24", "sine=r=48000:d=24"]
    let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    try await TestClip.make("a.ts", inputs: inputs, coding, in: scratch)
    let whole = try ScratchFolder.read(scratch("a.ts"))
    try scratch.write(silence(whole, until: 1), as: "silent.ts")
    try scratch.write(silence(whole, until: 0.8), as: "late.ts")
    let wanted = try await RemuxedVideo(path: scratch("a.ts")).hashes()
    for ending in ["mp4", "mkv"] {
      #expect(try await part(["silent.ts", "-o", "b.\(ending)"]).streamsLeftOut == 1)
      #expect(try await RemuxedVideo(path: scratch("b.\(ending)")).hashes() == wanted)
      let result = try await scratch.remux(["late.ts", "-o", "c.\(ending)"])
      #expect(result.exitStatus == 1, "\(result.text)")
      #expect(result.errorOutput.contains("the format of its sound is unknown: it begins too late, or is damaged"))
    }
  }

  /// Only the header of such a file could state a duration.
  @Test("A single frame of unknown duration is copied")
  func untimedFrame() async throws {
    let options = ["-c:v", "flashsv", "-flvflags", "no_duration_filesize+no_metadata"]
    try await TestClip.make("a.flv", inputs: ["testsrc2=s=64x64:r=25:d=0.04"], options, in: scratch)
    let video = RemuxedVideo(path: scratch("a.flv"))
    #expect(try await video.duration() == nil)
    #expect(try await part(["a.flv", "-o", "b.mkv"]).packets == 1)
    #expect(try await RemuxedVideo(path: scratch("b.mkv")).hashes() == video.hashes())
  }

  @Test("A subtitle that lasts longer than the video makes no gap in a joined one")
  func longSubtitle() async throws {
    _ = try await makeClip("a.mkv", ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"])
    try scratch.write(Array("1\n00:00:00,500 --> 00:00:09,000\nHello\n".utf8), as: "a.srt")
    let words = ["-v", "error", "-i", "a.mkv", "-i", "a.srt", "-c", "copy", "b.mkv"]
    try #require(try await Program.runTool("ffmpeg", words, in: scratch.path).exitStatus == 0)
    #expect(try await scratch.remux(["b.mkv", "b.mkv", "-o", "j.mkv"]).exitStatus == 0)
    let times = try await RemuxedVideo(path: scratch("j.mkv")).frames().map(\.time)
    #expect(times.count == 100 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 0.1 }, "\(times)")
  }
}
