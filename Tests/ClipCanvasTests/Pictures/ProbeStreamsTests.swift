import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// The streams and the recording that `clipcanvas probe` reports, compared with ffprobe.
@Suite("clipcanvas probe: streams, date and location")
struct ProbeStreamsTests {
  /// The members of a record that the tests use.
  struct Record: Decodable {
    struct Stream: Decodable {
      let index: Int
      let kind: String
      let codec, language, title, pixelFormat, channelLayout: String?
      let dispositions: [String]
      let storedWidth, storedHeight, shownWidth, shownHeight, rotation, bitDepth, sampleRate, channels: Int?
      let framesPerSecond: Double?
    }
    struct Location: Decodable, Equatable {
      let latitude, longitude: Double
      let altitude: Double?
      let text: String
    }
    let status: String
    let clip: CoverRecord.Clip
    let streams: [Stream]?
    let captureDate, make, model, software: String?
    let location: Location?
  }

  /// The members of ffprobe's output that the tests use.
  struct Reference: Decodable {
    struct Stream: Decodable {
      let index: Int
      let codecType, codecName, pixFmt, sampleRate, channelLayout: String?
      let width, height, channels: Int?
      let disposition: [String: Int]
      let tags: [String: String]?
    }
    let streams: [Stream]
  }

  private static func probe(_ clips: [String], in folder: FilePath? = nil) async throws -> [Record] {
    let result = try await Program.run("clipcanvas", ["probe", "--json"] + clips, in: folder)
    return try result.text.split(separator: "\n").map { try JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
  }

  private static func reference(_ clip: FilePath) async throws -> Reference {
    let words = ["-v", "quiet", "-show_streams", "-of", "json", "-i", "file:\(clip.string)"]
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Reference.self, from: Data(try await Program.runTool("ffprobe", words).output))
  }

  /// Makes a clip with ffmpeg from a picture of 160×120 pixels and two sounds.
  private static func make(_ name: String, _ options: [String], in scratch: ScratchFolder) async throws {
    let inputs = ["testsrc=s=160x120:d=0.2", "sine=r=48000:d=0.2", "sine=f=440:r=44100:d=0.2"]
    let result = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-y"] + inputs.flatMap { ["-f", "lavfi", "-i", $0] } + options + [name],
      in: scratch.path
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  /// Compares the streams of a clip with ffprobe's.
  ///
  /// ffprobe decodes audio to find what a container does not state, so what is omitted may be known to it.
  private static func compare(_ record: Record, with reference: Reference, _ name: String) throws {
    let streams = try #require(record.streams)
    try #require(streams.count == reference.streams.count, "\(name)")
    for (stream, expected) in zip(streams, reference.streams) {
      let comment = Comment(rawValue: "\(name), stream \(stream.index)")
      let flags = Set(expected.disposition.filter { $0.value != 0 }.keys)
      let isArtwork = !flags.isDisjoint(with: ["attached_pic", "timed_thumbnails"])
      #expect(stream.index == expected.index && Set(stream.dispositions) == flags, comment)
      #expect(stream.kind == (isArtwork ? "artwork" : expected.codecType ?? "data"), comment)
      #expect(stream.codec == nil || expected.codecName == nil || stream.codec == expected.codecName, comment)
      let tags = Dictionary(uniqueKeysWithValues: (expected.tags ?? [:]).map { ($0.lowercased(), $1) })
      #expect(stream.language == tags["language"].flatMap { $0 == "und" ? nil : $0 }, comment)
      #expect(stream.title == tags["title"], comment)
      if expected.codecType == "video" {
        // ffprobe's decoders of VP8 and VP9 drop the transparency that WebM stores next to each frame.
        let isTransparent = tags["alpha_mode"] == "1" && expected.pixFmt == "yuv420p"
        #expect(stream.codec == expected.codecName, comment)
        #expect(stream.pixelFormat == (isTransparent ? "yuva420p" : expected.pixFmt), comment)
        #expect(stream.storedWidth ?? 0 == expected.width && stream.storedHeight ?? 0 == expected.height, comment)
      }
      #expect(stream.sampleRate.map { "\($0)" == expected.sampleRate } ?? true, comment)
      #expect(stream.channels.map { $0 == expected.channels } ?? true, comment)
      #expect(stream.channelLayout.map { $0 == expected.channelLayout } ?? true, comment)
    }
  }

  @Test("The streams of all fixtures are those that ffprobe finds", .enabled(if: Scope.isFull))
  func fixtures() async throws {
    let fixtures = FixtureManifest.withCover
    let records = try await Self.probe(fixtures.map(\.path.string))
    try #require(records.count == fixtures.count && fixtures.count > 50)
    for (fixture, record) in zip(fixtures, records) where record.status == "facts" {
      try Self.compare(record, with: try await Self.reference(fixture.path), fixture.file)
    }
  }

  @Test(
    "The streams of a clip without video are those that ffprobe finds",
    .enabled(if: Scope.isFull),
    arguments: ["sound-only.m4a", "artwork-only.m4a", "artwork-only.mp3"]
  )
  func withoutVideo(_ name: String) async throws {
    let clip = ProjectFolder.fixture(name)
    let record = try #require(try await Self.probe([clip.string]).first)
    #expect(record.status == "failed")
    let reference = try await Self.reference(clip)
    try Self.compare(record, with: reference, name)
    #expect(reference.streams.contains { $0.codecType == "audio" })
    let result = try await Program.run("clipcanvas", ["probe", clip.string])
    #expect(result.exitStatus == 1 && result.errorOutput.hasPrefix("\(clip.string): no video stream (1 audio stream"))
    let lines = result.text.split(separator: "\n")
    #expect(lines.first.map(String.init) == clip.string && lines.count >= 1 + reference.streams.count, "\(result.text)")
    for stream in reference.streams {
      let start = "  \(stream.index)  "
      #expect(lines.contains { $0.hasPrefix(start) && $0.contains("  \(stream.codecName ?? "")") }, "\(result.text)")
    }
    #expect(result.text.contains("audio"))
  }

  @Test("Titles, languages, dispositions, subtitles, artwork and attachments are listed")
  func matroska() async throws {
    let scratch = try ScratchFolder()
    try scratch.write(Array("1\n00:00:00,000 --> 00:00:00,100\nHello\n".utf8), as: "s.srt")
    try await Self.make("art.png", ["-frames:v", "1"], in: scratch)
    try await Self.make(
      "a.mkv",
      [
        "-i", "s.srt", "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "mpeg4", "-c:a:0", "flac", "-c:a:1",
        "ac3",
        "-attach", "s.srt", "-metadata:s:t:0", "mimetype=text/plain", "-metadata:s:t:0", "filename=s.srt",
        "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu",
        "-metadata:s:a:1", "title=Kommentar der Regie", "-disposition:a:1", "comment+forced", "-metadata:s:s:0",
        "language=jpn", "-disposition:s:0", "hearing_impaired",
      ],
      in: scratch
    )
    let record = try #require(try await Self.probe(["a.mkv"], in: scratch.path).first)
    try Self.compare(record, with: try await Self.reference(scratch("a.mkv")), "a.mkv")
    let streams = try #require(record.streams)
    #expect(streams.map(\.kind) == ["video", "audio", "audio", "subtitle", "attachment"])
    #expect(streams[1].sampleRate == 48_000 && streams[2].sampleRate == 44_100 && streams[1].channels == 1)
    #expect(streams[2].title == "Kommentar der Regie" && Set(streams[2].dispositions) == ["comment", "forced"])
    #expect(streams[3].language == "jpn" && streams[3].dispositions == ["hearing_impaired"])
    let text = try await Program.run("clipcanvas", ["probe", "a.mkv"], in: scratch.path).text
    #expect(
      text.contains("\n  2  audio       ac3      44100 Hz, 1 channel, deu, \"Kommentar der Regie\" (comment, forced)\n")
    )
    #expect(text.contains("\n  3  subtitle    ass      jpn (hearing_impaired)\n"))
    let picture = scratch("b.mp4")
    try await Self.make(
      "b.mp4",
      ["-i", "art.png", "-map", "0", "-map", "3", "-c:v:1", "png", "-disposition:v:1", "attached_pic"],
      in: scratch
    )
    let artwork = try #require(try await Self.probe([picture.string]).first)
    try Self.compare(artwork, with: try await Self.reference(picture), "b.mp4")
    #expect(artwork.streams?.map(\.kind) == ["video", "artwork"])
  }

  @Test(
    "The date is the one with an offset, if there is one, and otherwise that of the file",
    .enabled(if: Scope.isFull),
    arguments: [
      (
        "a.mov", ["creation_time=2024-05-01T10:30:45Z", "com.apple.quicktime.creationdate=2024-05-01T12:30:45+0200"],
        "2024-05-01T12:30:45+02:00"
      ),
      ("a.mp4", ["creation_time=2024-05-01T10:30:45Z"], "2024-05-01T10:30:45Z"),
      ("a.mkv", ["creation_time=2024-05-01T10:30:45.25Z"], "2024-05-01T10:30:45.25Z"),
      ("a.avi", ["date=2012-01-05"], "2012-01-05"), ("a.avi", ["date=Tuesday"], nil),
      ("a.mp4", ["creation_time=1904-01-01T00:00:00Z"], nil), ("a.mp4", ["creation_time=1970-01-01T00:00:00Z"], nil),
      ("a.mkv", ["creation_time=2024-13-01T10:30:45Z"], nil), ("a.mp4", [], nil),
    ] as [(String, [String], String?)]
  )
  func dates(_ name: String, _ metadata: [String], _ expected: String?) async throws {
    let scratch = try ScratchFolder()
    let tags =
      metadata.flatMap { ["-metadata", $0] } + (name.hasSuffix("mov") ? ["-movflags", "use_metadata_tags"] : [])
    try await Self.make(name, ["-map", "0", "-c:v", "mpeg4"] + tags, in: scratch)
    let record = try #require(try await Self.probe([name], in: scratch.path).first)
    #expect(record.captureDate == expected)
    // Covers contain it, so that a later run reports it, too.
    for _ in 0..<2 {
      let made = try await Program.run("clipcanvas", ["cover", "--json", "-o", "c.png", name], in: scratch.path)
      #expect(try CoverRecord.all(in: made).map(\.captureDate) == [expected])
    }
  }

  @Test(
    "The location is parsed, and left out if it is out of range",
    .enabled(if: Scope.isFull),
    arguments: [
      ("a.mov", "com.apple.quicktime.location.ISO6709=+48.8577+002.2950+035.000/", 48.8577, 2.295, 35),
      ("a.mp4", "location=-33.8568+151.2153/", -33.8568, 151.2153, nil),
      ("a.mkv", "location=+4851.462+00217.7/", 48.8577, 2.295, nil),
      ("a.mp4", "location=+91.0000+002.2950/", nil, nil, nil), ("a.mp4", "location=at home", nil, nil, nil),
    ] as [(String, String, Double?, Double?, Double?)]
  )
  func locations(
    _ name: String,
    _ tag: String,
    _ latitude: Double?,
    _ longitude: Double?,
    _ altitude: Double?
  ) async throws {
    let scratch = try ScratchFolder()
    let flags = name.hasSuffix("mov") ? ["-movflags", "use_metadata_tags"] : []
    try await Self.make(name, ["-map", "0", "-c:v", "mpeg4", "-metadata", tag] + flags, in: scratch)
    let record = try #require(try await Self.probe([name], in: scratch.path).first)
    #expect(record.location?.latitude == latitude && record.location?.longitude == longitude)
    #expect(record.location?.altitude == altitude)
    let cover = try await Program.run("clipcanvas", ["cover", "--json", "-o", "c.png", name], in: scratch.path)
    #expect(cover.exitStatus == 0 && !cover.text.contains("location") && !cover.text.contains("48.85"))
    let picture = String(decoding: try ScratchFolder.read(scratch("c.png")), as: UTF8.self)
    #expect(!picture.contains("48.85") && !picture.contains("location"))
  }

  @Test("Hostile texts cannot reach the terminal, and long ones are cut off")
  func hostile() async throws {
    let scratch = try ScratchFolder()
    let title = "a\u{1B}[31mb\u{1B}]52;c;Zm9v\u{7}c\nd\u{202E}e\u{9B}2Jf"
    try await Self.make(
      "a.mkv",
      [
        "-map", "0", "-map", "1", "-c:v", "mpeg4", "-metadata:s:v", "title=\(title)", "-metadata", "make=\(title)",
        "-metadata:s:a", "language=e\u{1B}g",
      ]
        + ["-metadata:s:a", "title=TTTTTTTTTTTTTTTT"],
      in: scratch
    )
    for options in [[], ["--json"]] {
      let result = try await Program.run("clipcanvas", ["probe"] + options + ["a.mkv"], in: scratch.path)
      #expect(result.exitStatus == 0)
      HostileDecoderTests.expectHarmless(result.output, "\(options)")
    }
    let record = try #require(try await Self.probe(["a.mkv"], in: scratch.path).first)
    #expect(record.streams?.first?.title == title && record.streams?.last?.language == nil)
    // The same bytes as no UTF-8.
    let bytes = try ScratchFolder.read(scratch("a.mkv"))
    try scratch.write(
      bytes.replacing(Array("TTTTTTTTTTTTTTTT".utf8), with: [0xFF, 0xC3, 0x28] + Array("TTTTTTTTTTTTT".utf8)),
      as: "b.mkv"
    )
    let other = try #require(try await Self.probe(["b.mkv"], in: scratch.path).first)
    #expect(other.streams?.last?.title == "\u{FFFD}\u{FFFD}(TTTTTTTTTTTTT")
  }

  @Test("A title of a megabyte is cut off", .enabled(if: Scope.isFull))
  func longTitle() async throws {
    let scratch = try ScratchFolder()
    try scratch.write(
      Array((";FFMETADATA1\ntitle=x\nsoftware=" + String(repeating: "é", count: 1 << 19) + "\n").utf8),
      as: "m.txt"
    )
    try await Self.make("a.mkv", ["-i", "m.txt", "-map_metadata", "3", "-map", "0", "-c:v", "mpeg4"], in: scratch)
    let record = try #require(try await Self.probe(["a.mkv"], in: scratch.path).first)
    let software = try #require(record.software ?? record.make)
    #expect(software == String(repeating: "é", count: 250) + "…" || software.hasPrefix("Lavf"))
  }

  @Test("A clip with 900 streams is refused", .enabled(if: Scope.isFull))
  func manyStreams() async throws {
    let scratch = try ScratchFolder()
    let maps = (0..<900).flatMap { _ in ["-map", "1"] }
    try await Self.make("a.mkv", ["-map", "0", "-c:v", "mpeg4"] + maps + ["-c:a", "pcm_s16le"], in: scratch)
    let result = try await Program.run("clipcanvas", ["probe", "--json", "a.mkv"], in: scratch.path)
    #expect(result.exitStatus == 1 && result.text.contains("more than 64 streams"), "\(result.text)")
  }
}
