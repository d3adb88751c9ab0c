import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Copies of single clips, compared with the clip by ffmpeg.
@Suite("clipcanvas remux")
struct RemuxTests {
  /// The members of a record that the tests use.
  struct Record: Decodable {
    struct Part: Decodable {
      let durationSeconds: Double
      let packetsRead, packets, packetsLost, streamsLeftOut: Int
      let endedEarly, isDamaged, movedTimes: Bool
      let damagedAtSeconds, movedAtSeconds: Double?
    }
    let status, output, container: String
    let durationSeconds: Double?
    let bytes, videoStreams, audioStreams, subtitleStreams: Int?
    let parts: [Part]?
    let clip, stage, reason, message: String?
  }

  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func record(_ arguments: [String]) async throws -> Record {
    let result = try await scratch.remux(["--json"] + arguments)
    return try JSONDecoder().decode(Record.self, from: Data(result.output))
  }

  /// Clips of each container, with and without frames out of order, and where each may go.
  static let clips: [(fixture: String, endings: [String])] = [
    ("h264.mp4", ["mp4", "mov", "mkv"]), ("b-frames-3.mp4", ["mp4", "mkv"]), ("h264.mkv", ["mp4", "mkv"]),
    ("hevc.mkv", ["mp4", "mov"]), ("hevc.mp4", ["mkv"]), ("vp9.webm", ["webm", "mkv", "mp4"]), ("vp8.webm", ["webm"]),
    ("av1.mp4", ["webm", "mp4"]), ("h264.ts", ["mp4", "mkv"]), ("h264.flv", ["mp4"]), ("mpeg2.ts", ["mkv", "mp4"]),
    ("mpeg4.avi", ["mp4", "mkv"]), ("mjpeg.avi", ["mkv", "mov"]), ("wmv2.wmv", ["mkv"]),
    ("fragmented.mp4", ["mp4", "mkv"]), ("unknown-duration.mkv", ["mp4", "mkv"]), ("start-100s.mkv", ["mp4"]),
    ("rotated-90.mp4", ["mp4", "mov"]), ("mirrored-270.mp4", ["mov"]), ("anamorphic.mp4", ["mp4", "mkv"]),
    ("sar-container-only.mkv", ["mkv", "mp4"]), ("two-videos.mkv", ["mp4"]),
    ("artwork.mp4", ["mp4", "mov"]), ("sound-priming.mp4", ["mp4", "mkv"]), ("edit-list.mp4", ["mp4", "mov"]),
    ("edit-list-delay.mp4", ["mp4"]), ("png-alpha.mov", ["mkv", "mov"]),
    ("hdr10.mp4", ["mp4", "mkv"]), ("prores-4444.mov", ["mov", "mkv"]),
  ]

  @Test("A copy has the same frames at the same times", .enabled(if: Scope.isFull), arguments: clips)
  func frames(_ clip: (fixture: String, endings: [String])) async throws {
    guard ProjectFolder.isThere(ProjectFolder.fixture(clip.fixture)) else {
      Issue.record("there is no fixture \(clip.fixture)")
      return
    }
    let original = RemuxedVideo(path: ProjectFolder.fixture(clip.fixture))
    let wanted = try await original.frames()
    for ending in clip.endings {
      let result = try await scratch.remux([original.path.string, "-o", "copy.\(ending)"])
      try #require(result.exitStatus == 0, "\(ending): \(result.errorOutput)")
      let copy = RemuxedVideo(path: scratch("copy.\(ending)"))
      let frames = try await copy.frames()
      #expect(frames.map(\.hash) == wanted.map(\.hash), "\(ending)")
      let first = (frames.first?.time ?? 0, wanted.first?.time ?? 0)
      for (frame, want) in zip(frames, wanted) {
        #expect(abs((frame.time - first.0) - (want.time - first.1)) < 0.0021, "\(ending): \(frame.time) \(want.time)")
      }
      let times = try await copy.decodingTimes(ofStream: 0)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(ending)")
      let duration = try #require(try await copy.duration())
      let end = (wanted.last?.time ?? 0) - first.1
      #expect(duration > end && duration < end + 1.5, "\(ending): \(duration), the last frame is shown at \(end)")
    }
  }

  @Test("Frames of a variable rate keep their times", .enabled(if: Scope.isFull), arguments: ["mp4", "mkv"])
  func variableRate(_ ending: String) async throws {
    let options = ["-vf", "setpts='(N*N*0.011+N*0.01)/TB'", "-fps_mode", "passthrough", "-enc_time_base", "1:1000"]
    let source = "a.\(ending == "mp4" ? "mkv" : "mp4")"
    // From FFmpeg 7 on, ffmpeg writes an edit list that leaves out the last frame, because it does not know its duration.
    let edits = ending == "mkv" ? ["-use_editlist", "0"] : []
    try await TestClip.make(source, inputs: ["testsrc=s=64x48:d=0.6"], options + ["-bf", "2"] + edits, in: scratch)
    #expect(try await scratch.remux([source, "-o", "b.\(ending)"]).exitStatus == 0)
    let wanted = try await RemuxedVideo(path: scratch(source)).frames()
    let frames = try await RemuxedVideo(path: scratch("b.\(ending)")).frames()
    #expect(frames.map(\.hash) == wanted.map(\.hash) && wanted.count == 15)
    let shift = (wanted.first?.time ?? 0) - (frames.first?.time ?? 0)
    for (frame, want) in zip(frames, wanted) { #expect(abs(frame.time + shift - want.time) < 0.0011) }
  }

  @Test("The facts, texts and place of a recording stay", .enabled(if: Scope.isFull))
  func facts() async throws {
    let texts = ["title=Summer", "creation_time=2024-05-01T12:30:45.000000Z", "location=+48.8577+002.2950/"]
    try await TestClip.make(
      "a.mov",
      inputs: ["testsrc=s=64x48:d=0.5", "sine=d=0.5"],
      texts.flatMap { ["-metadata", $0] } + ["-metadata:s:a:0", "language=fra"],
      in: scratch
    )
    for ending in ["mp4", "mov"] {
      #expect(try await scratch.remux(["a.mov", "-o", "b.\(ending)"]).exitStatus == 0)
      let words = ["-v", "error", "-show_entries", "format_tags:stream_tags=language", "-of", "default", "b.\(ending)"]
      let found = try await Program.runTool("ffprobe", words, in: scratch.path).text
      for text in ["TAG:title=Summer", "TAG:creation_time=2024-05-01T12:30:45.000000Z", "TAG:language=fra"] {
        #expect(found.contains(text), "\(ending): \(found)")
      }
      #expect(found.contains("location=+48.8577+002.2950/"), "\(ending): \(found)")
    }
  }

  @Test("A recording of a browser gets a duration and an index")
  func browser() async throws {
    try await TestClip.flashing(
      "a.webm",
      seconds: 3,
      ["-c:v", "libvpx", "-deadline", "realtime", "-g", "25", "-c:a", "libopus", "-live", "1", "-f", "webm"],
      in: scratch
    )
    #expect(try await RemuxedVideo(path: scratch("a.webm")).duration() == nil)
    let cues: [UInt8] = [0x1C, 0x53, 0xBB, 0x6B]
    func hasCues(_ name: String) throws -> Bool {
      let bytes = try ScratchFolder.read(scratch(name))
      return bytes.indices.dropLast(3).contains { Array(bytes[$0..<$0 + 4]) == cues }
    }
    #expect(try !hasCues("a.webm"))
    for ending in ["webm", "mkv"] {
      let record = try await record(["a.webm", "-o", "b.\(ending)"])
      #expect(record.status == "remuxed" && record.videoStreams == 1 && record.audioStreams == 1)
      let duration = try #require(try await RemuxedVideo(path: scratch("b.\(ending)")).duration())
      #expect(abs(duration - 3) < 0.05 && abs((record.durationSeconds ?? 0) - duration) < 0.03)
      #expect(try hasCues("b.\(ending)"))
    }
  }

  @Test("The index comes first with --faststart, and the frames stay the same", .enabled(if: Scope.isFull))
  func fastStart() async throws {
    let clip = ProjectFolder.fixture("h264.mp4").string
    #expect(try await scratch.remux([clip, "-o", "a.mp4"]).exitStatus == 0)
    #expect(try await scratch.remux([clip, "-o", "b.mp4", "--faststart"]).exitStatus == 0)
    func position(_ box: String, _ name: String) throws -> Int? {
      let text = try ScratchFolder.read(scratch(name))
      return text.indices.dropLast(3).first { Array(text[$0..<$0 + 4]) == Array(box.utf8) }
    }
    let (index, media) = (try position("moov", "b.mp4"), try position("mdat", "b.mp4"))
    #expect(try #require(index) < #require(media))
    #expect(try #require(try position("moov", "a.mp4")) > #require(try position("mdat", "a.mp4")))
    let frames = try await RemuxedVideo(path: scratch("a.mp4")).frames()
    #expect(try await RemuxedVideo(path: scratch("b.mp4")).frames() == frames)
  }

  @Test("The same clip always gives the same bytes, with and without the sandbox", .enabled(if: Scope.isFull))
  func determinism() async throws {
    for ending in ["mp4", "mkv", "webm"] {
      let clip = ProjectFolder.fixture(ending == "webm" ? "vp9.webm" : "h264.mp4").string
      for (name, options) in [("a", []), ("b", []), ("c", ["--sandbox", "off"])] {
        #expect(try await scratch.remux([clip, "-o", "\(name).\(ending)"] + options).exitStatus == 0)
      }
      let first = try ScratchFolder.read(scratch("a.\(ending)"))
      for name in ["b", "c"] { #expect(try ScratchFolder.read(scratch("\(name).\(ending)")) == first, "\(ending)") }
    }
  }

  @Test("A container that cannot hold the streams is refused, and another is named", .enabled(if: Scope.isFull))
  func unfit() async throws {
    let cases = [
      ("vp8.webm", "mp4", "MP4 cannot hold its video (vp8); .mkv and .webm can; name such a file with -o"),
      ("h264.mp4", "webm", "WebM cannot hold its video (h264); .mp4, .mov and .mkv can; name such a file with -o"),
      ("rotated-90.mp4", "mkv", "Matroska cannot hold the rotation of its video; .mp4 and .mov can"),
      (
        "edit-list.mp4", "mkv",
        "Matroska cannot hide the frames that its edit list leaves out; .mp4 and .mov can; name such a file with -o"
      ),
      ("elementary.h264", "mp4", "its video has no timestamps"),
      ("sound-only.m4a", "mp4", "no video stream"),
      ("truncated-no-index.mp4", "mp4", "the index (moov) is missing"),
      ("playlist-hls.mp4", "mp4", "a playlist"),
    ]
    for (fixture, ending, message) in cases {
      let clip = ProjectFolder.fixture(fixture).string
      let result = try await scratch.remux([clip, "-o", "copy.\(ending)"])
      #expect(result.exitStatus == 1 && result.errorOutput.contains(message), "\(fixture): \(result.errorOutput)")
      #expect(result.errorOutput.hasPrefix("\(clip): ") && result.text.isEmpty)
      let record = try await record([clip, "-o", "copy.\(ending)"])
      #expect(record.status == "failed" && record.clip == clip && record.reason != nil)
      #expect(try scratch.names().isEmpty)
    }
  }

  @Test(
    "Raw pixels are copied only to where they mean the same",
    .enabled(if: Scope.isFull),
    arguments: ["yuv420p", "uyvy422", "bgr24", "rgb24"]
  )
  func rawPixels(_ format: String) async throws {
    for source in ["avi", "mov", "mkv", "nut"] {
      let options = ["-c:v", "rawvideo", "-pix_fmt", format]
      let input = ["testsrc2=s=64x48:r=25:d=0.2"]
      guard (try? await TestClip.make("a.\(source)", inputs: input, options, in: scratch)) != nil else { continue }
      let wanted = try await RemuxedVideo(path: scratch("a.\(source)")).frames().map(\.hash)
      for ending in ["mov", "mkv"] {
        let result = try await scratch.remux(["a.\(source)", "-o", "b.\(ending)", "--force"])
        let isRefused = ["cannot hold", "can hold", "pixel format"].contains { result.errorOutput.contains($0) }
        if result.exitStatus != 0, isRefused { continue }
        try #require(result.exitStatus == 0, "\(source) to \(ending): \(result.errorOutput)")
        let copy = RemuxedVideo(path: scratch("b.\(ending)"))
        #expect(try await copy.frames().map(\.hash) == wanted, "\(source) to \(ending)")
      }
    }
  }

  @Test(
    "Existing files are replaced only with --force, and never the clip itself or anything but a regular file",
    .enabled(if: Scope.isFull)
  )
  func places() async throws {
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try scratch.write(Array("mine".utf8), as: "mine.mp4")
    try FilePath.makeFolder(scratch("folder.mp4"))
    #expect(link(scratch("a.mp4").string, scratch("same.mp4").string) == 0)
    #expect(mkfifo(scratch("pipe.mp4").string, 0o600) == 0)
    let before = try FolderTree(below: scratch.path)
    let cases = [
      ("mine.mp4", [], "mine.mp4 exists and is not empty; specify another place with -o, or replace it with --force"),
      ("a.mp4", ["--force"], "a.mp4 is one of the clips"), ("same.mp4", ["--force"], "same.mp4 is one of the clips"),
      ("folder.mp4", ["--force"], "folder.mp4 is a folder"),
      ("pipe.mp4", ["--force"], "pipe.mp4 is a named pipe, not a regular file; specify a regular file with -o"),
      ("none/a.mp4", [], "no such file or directory; create the folder first"),
    ]
    for (place, options, message) in cases {
      let result = try await scratch.remux(["a.mp4", "-o", place] + options)
      #expect(result.exitStatus == 1 && result.errorOutput.contains(message), "\(place): \(result.errorOutput)")
    }
    #expect(try FolderTree(below: scratch.path) == before)
    let forced = try await scratch.remux(["a.mp4", "-o", "mine.mp4", "--force"])
    let hundreds = (Double(try ScratchFolder.read(scratch("mine.mp4")).count) / 100).rounded()
    let line = "a.mp4 → mine.mp4  1.0 s, 1 video stream, 1 audio stream, \(hundreds / 10) kB\n"
    #expect(forced.text == line)
    for usage in [["a.mp4"], ["a.mp4", "-o", "b.avi"], ["-o", "b.mp4"], ["http://x/a.mp4", "-o", "b.mp4"]] {
      #expect(try await scratch.remux(usage).exitStatus == 64, "\(usage)")
    }
  }
}
