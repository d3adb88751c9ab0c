import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Files that hold several recordings, as after `cat a b`, or after a recorder was restarted.
@Suite("Files with several recordings")
struct SeveralRecordingsTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private struct Probed: Decodable {
    let nextRecordingByte: Int?
    let durationSeconds: Double?
  }

  /// What libavformat does with a file of two recordings.
  enum Reading {
    /// It stops at the second one, or goes back in time there.
    case first
    /// It reads the frames of both.
    case both
  }

  /// A kind of file: its extension, ffmpeg's options, and how it is read.
  struct Kind: Sendable, CustomTestStringConvertible {
    let ending: String
    let options: [String]
    var reading = Reading.first
    var hasSound = true
    /// Whether the second recording is found by what it begins with, rather than by its times.
    var hasHeader = true

    /// Whether the second recording is found by its times, which go back.
    var hasRestart: Bool { ["ts", "m2ts", "mpg", "vob"].contains(ending) }

    var testDescription: String { ([ending] + options).joined(separator: " ") }
  }

  static let kinds: [Kind] = [
    Kind(ending: "mp4", options: h264), Kind(ending: "mov", options: h264),
    Kind(ending: "mp4", options: h264 + ["-movflags", "faststart"]),
    Kind(ending: "mp4", options: h264 + ["-movflags", "frag_keyframe+empty_moov"]),
    Kind(ending: "mp4", options: h264 + ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
    Kind(ending: "mp4", options: h264 + ["-movflags", "frag_every_frame+empty_moov"], hasSound: false),
    Kind(ending: "3gp", options: ["-c:v", "h263", "-s", "352x288"], hasSound: false),
    Kind(ending: "mkv", options: h264), Kind(ending: "mkv", options: h264 + ["-live", "1"]),
    Kind(ending: "webm", options: vp8), Kind(ending: "webm", options: vp8 + ["-live", "1"]),
    Kind(ending: "flv", options: h264), Kind(ending: "nut", options: h264),
    Kind(ending: "ogv", options: ["-c:v", "libtheora", "-c:a", "libvorbis"]),
    Kind(ending: "wmv", options: ["-c:v", "wmv2", "-c:a", "wmav2"]),
    Kind(ending: "wtv", options: ["-c:v", "mpeg2video", "-c:a", "mp2"]),
    Kind(ending: "gxf", options: ["-c:v", "mpeg2video", "-c:a", "pcm_s16le", "-s", "720x576", "-ar", "48000"]),
    Kind(ending: "ivf", options: ["-c:v", "libvpx"], hasSound: false),
    Kind(ending: "y4m", options: ["-pix_fmt", "yuv420p"], hasSound: false),
    Kind(ending: "gif", options: [], hasSound: false),
    Kind(ending: "ts", options: h264, hasHeader: false), Kind(ending: "m2ts", options: h264, hasHeader: false),
    Kind(ending: "mpg", options: ["-c:v", "mpeg2video", "-c:a", "mp2"], hasHeader: false),
    Kind(ending: "vob", options: ["-c:v", "mpeg2video", "-c:a", "ac3"], hasHeader: false),
    Kind(ending: "avi", options: ["-c:v", "mpeg4", "-c:a", "mp3"], reading: .both),
    Kind(ending: "dv", options: ["-target", "pal-dv"], reading: .both, hasHeader: false),
    Kind(ending: "mjpeg", options: [], reading: .both, hasSound: false, hasHeader: false),
    Kind(ending: "m2v", options: [], reading: .both, hasSound: false, hasHeader: false),
  ]
  private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-g", "12", "-c:a", "aac"]
  private static let vp8 = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"]

  private func make(_ name: String, _ kind: Kind, seconds: Int, size: String = "160x120") async throws -> [UInt8] {
    let inputs = ["testsrc2=s=\(size):r=25:d=\(seconds)"] + (kind.hasSound ? ["sine=r=48000:d=\(seconds)"] : [])
    try await TestClip.make(name, inputs: inputs, kind.options, in: scratch)
    return try ScratchFolder.read(scratch(name))
  }

  private func probe(_ name: String) async throws -> Probed {
    let result = try await Program.run("clipcanvas", ["probe", "--json", name], in: scratch.path)
    return try JSONDecoder().decode(Probed.self, from: Data(result.output))
  }

  /// The copy of a file into the first container that can hold it.
  private func copy(_ name: String) async throws -> (record: RemuxTests.Record, path: FilePath, warnings: String) {
    for ending in ["mkv", "mov"] {
      let result = try await scratch.remux(["--json", "--force", name, "-o", "copy.\(ending)"])
      let record = try JSONDecoder().decode(RemuxTests.Record.self, from: Data(result.output))
      if record.reason != "unfitContainer" || ending == "mov" {
        return (record, scratch("copy.\(ending)"), result.errorOutput)
      }
    }
    preconditionFailure("there are two containers")
  }

  /// The number of packets of video that ffprobe finds.
  private func packets(_ path: FilePath) async throws -> Int {
    let words = ["-v", "quiet", "-count_packets", "-select_streams", "V:0", "-show_entries", "stream=nb_read_packets"]
    let result = try await Program.runTool("ffprobe", words + ["-of", "csv=p=0", path.string])
    return Int(result.text.prefix { $0.isNumber }) ?? 0
  }

  /// The byte that a message names.
  private func byte(in message: String?) throws -> Int {
    let found = try #require(try #/another recording begins at \d+\.\d s \(byte (\d+)\)/#.firstMatch(in: message ?? ""))
    return try #require(Int(found.output.1))
  }

  @Test(
    "A copy has the frames of all recordings of a file, or is refused with the place of the second one",
    arguments: Scope.cases(kinds, quick: 2)
  )
  func joined(_ kind: Kind) async throws {
    let (one, two) = ("a.\(kind.ending)", "ab.\(kind.ending)")
    let first = try await make(one, kind, seconds: 2)
    let intact = try await copy(one)
    #expect(intact.record.status == "remuxed" && intact.warnings.isEmpty, "\(intact)")
    let isHalf = kind.options.contains("-s") || kind.options.contains("-target")
    for (size, part) in [("160x120", 1.0), (isHalf ? "160x120" : "128x96", 1.0), ("160x120", 0.6)] {
      let second = try await make("b.\(kind.ending)", kind, seconds: 1, size: size)
      let cut = first[..<Int(Double(first.count) * part)]
      try scratch.write(Array(cut) + second, as: two)
      let joined = try await copy(two)
      guard joined.record.status == "remuxed" else {
        // A movie that was cut off has no index, and some demuxers reject such files altogether.
        guard part == 1 || joined.record.reason == "severalRecordings" else { continue }
        #expect(joined.record.reason == "severalRecordings", "\(part): \(joined.record)")
        // The times of transport and program streams show only where the packets of the second recording are.
        let found = try byte(in: joined.record.message)
        #expect(kind.hasHeader ? found == cut.count : abs(found - cut.count) < 8192, "\(found), not \(cut.count)")
        continue
      }
      try scratch.write(cut, as: one)
      let frames = try await packets(scratch(one)) + packets(scratch("b.\(kind.ending)"))
      let copied = try await packets(joined.path)
      let isReported = joined.record.parts?.contains { $0.damagedAtSeconds != nil || $0.endedEarly } ?? false
      #expect(copied >= frames - (part < 1 ? 2 : 1) || isReported, "\(copied) of \(frames) frames")
      #expect(kind.reading == .both || isReported || part < 1, "\(joined.record)")
    }
  }

  @Test(
    "Probe and cover warn about another recording, with its place",
    arguments: Scope.cases(kinds.filter { $0.hasHeader || $0.hasRestart }, quick: 2)
  )
  func warned(_ kind: Kind) async throws {
    let first = try await make("a.\(kind.ending)", kind, seconds: 1)
    try scratch.write(first + first, as: "aa.\(kind.ending)")
    var durations: [Double?] = []
    for (name, expected) in [("a.\(kind.ending)", nil), ("aa.\(kind.ending)", first.count)] {
      let probed = try await probe(name)
      let found = probed.nextRecordingByte
      // The first packs of a program stream may hold no video.
      let isNear = kind.hasRestart && abs((found ?? -8192) - (expected ?? 1 << 30)) < 8192
      #expect(found == expected || isNear, "\(probed)")
      durations.append(probed.durationSeconds)
      let cover = try await Program.run("clipcanvas", ["cover", name, "-o", "c.png", "--force"], in: scratch.path)
      // For a cover, no more than a megabyte of a file is searched.
      let isWarned = cover.errorOutput.contains("another recording begins at byte \(found ?? 0)")
      #expect(cover.exitStatus == 0 && (isWarned || first.count > 1 << 20) == (expected != nil), "\(cover.errorOutput)")
    }
    #expect(!kind.hasRestart || (durations[0] != nil && durations[0] == durations[1]), "\(durations)")
  }

  /// The second recording has another length, so that its times overlap the first one's in every way.
  @Test(
    "Times that go back are found at any place, and not in an intact stream",
    .enabled(if: Scope.isFull),
    arguments: kinds.filter(\.hasRestart)
  )
  func restarts(_ kind: Kind) async throws {
    let long = try await make("long.\(kind.ending)", kind, seconds: 20)
    let short = try await make("short.\(kind.ending)", kind, seconds: 2, size: "128x96")
    let intact = try await probe("long.\(kind.ending)")
    #expect(intact.nextRecordingByte == nil && abs((intact.durationSeconds ?? 0) - 20) < 0.05, "\(intact)")
    for (parts, place) in [
      ([long, short], long.count), ([short, long], short.count), ([short, short, short], short.count),
      ([Array(long[..<(long.count * 2 / 3 / 188 * 188)]), short], long.count * 2 / 3 / 188 * 188),
    ] {
      try scratch.write(parts.flatMap(\.self), as: "all.\(kind.ending)")
      let probed = try await probe("all.\(kind.ending)")
      // Packets of the tables come before the first one of the video.
      #expect(abs((probed.nextRecordingByte ?? -8192) - place) < 8192, "\(probed), not \(place)")
    }
  }

  /// libavformat reads the packets of both, with the times of the last frame of the first; a container of QuickTime's
  /// would hold all of them.
  @Test("Two MXF recordings of the same length are refused with the place", .enabled(if: Scope.isFull))
  func equalLengths() async throws {
    let options = ["-c:v", "mpeg2video", "-c:a", "pcm_s16le", "-ar", "48000"]
    let first = try await make("a.mxf", Kind(ending: "mxf", options: options), seconds: 2)
    try scratch.write(first + first, as: "aa.mxf")
    for output in ["b.mkv", "b.mov"] {
      let result = try await scratch.remux(["aa.mxf", "-o", output])
      #expect(result.exitStatus == 1, "\(result.text)")
      let place = "another recording begins at 2.0 s (byte \(first.count))"
      #expect(result.errorOutput.contains(place), "\(result.errorOutput)")
    }
  }

  @Test("The parts of a file that was split at the byte in the message are joined", .enabled(if: Scope.isFull))
  func split() async throws {
    for kind in [Kind(ending: "mp4", options: Self.h264), Kind(ending: "ts", options: Self.h264)] {
      let first = try await make("a.\(kind.ending)", kind, seconds: 2)
      let second = try await make("b.\(kind.ending)", kind, seconds: 1)
      try scratch.write(first + second, as: "ab")
      let byte = try byte(in: try await copy("ab").record.message)
      try scratch.write((first + second)[..<byte], as: "one")
      try scratch.write((first + second)[byte...], as: "two")
      let result = try await scratch.remux(["one", "two", "-o", "all.mkv", "--force"])
      #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      #expect(try await packets(scratch("all.mkv")) == 75)
    }
  }

  /// What other programs append to clips, and what takes up room in them.
  static let trailers: [(name: String, ending: String, bytes: [UInt8])] = [
    ("ID3v1", "mp4", Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)),
    ("APE", "mp4", Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 32] + [UInt8](repeating: 0, count: 19)),
    ("XMP", "mp4", [0, 0, 0, 64] + Array("uuid".utf8) + [UInt8](repeating: 7, count: 56)),
    ("free", "mov", [0, 0, 0x10, 0] + Array("free".utf8) + [UInt8](repeating: 0, count: 4088)),
    ("skip", "mp4", [0, 0, 0, 24] + Array("skipftypmp42free".utf8)),
    ("ID3v1", "flv", Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)),
    ("Void", "mkv", [0xEC, 0x90] + [UInt8](repeating: 0, count: 16)),
    ("JUNK", "avi", Array("JUNK".utf8) + [16, 0, 0, 0] + [UInt8](repeating: 0, count: 16)),
  ]

  @Test("Trailers of other programs are not mistaken for recordings", .enabled(if: Scope.isFull), arguments: trailers)
  func trailed(_ trailer: (name: String, ending: String, bytes: [UInt8])) async throws {
    let kind = try #require(Self.kinds.first { $0.ending == trailer.ending })
    let clip = try await make("a.\(trailer.ending)", kind, seconds: 1)
    try scratch.write(clip + trailer.bytes, as: "b.\(trailer.ending)")
    let copied = try await copy("b.\(trailer.ending)")
    #expect(copied.record.status == "remuxed", "\(copied.record)")
    #expect(try await packets(copied.path) == packets(scratch("a.\(trailer.ending)")))
    #expect(try await probe("b.\(trailer.ending)").nextRecordingByte == nil)
  }

  @Test("A transport stream that continues with another video stream is not copied in part", .enabled(if: Scope.isFull))
  func otherStreams() async throws {
    // The first recording is longer than what is read before the streams are known.
    let inputs = ["testsrc2=s=320x240:r=25:d=20", "sine=r=48000:d=20"]
    try await TestClip.make("a.ts", inputs: inputs, Self.h264 + ["-b:v", "4M", "-minrate", "4M"], in: scratch)
    let others = ["-mpegts_start_pid", "0x300", "-mpegts_pmt_start_pid", "0x200"]
    try await TestClip.make("b.ts", inputs: inputs, Self.h264 + others, in: scratch)
    let first = try ScratchFolder.read(scratch("a.ts"))
    try scratch.write(first + ScratchFolder.read(scratch("b.ts")), as: "ab.ts")
    let joined = try await copy("ab.ts")
    #expect(joined.record.reason == "severalRecordings", "\(joined.record)")
    #expect(abs(try byte(in: joined.record.message) - first.count) < 8192)
  }
}
