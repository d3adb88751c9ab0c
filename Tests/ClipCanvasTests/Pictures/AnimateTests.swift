import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas animate")
struct AnimateTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func animate(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["animate"] + arguments, in: scratch.path)
  }

  private func make(_ name: String, seconds: Double = 10, size: String = "640x360") async throws {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=\(seconds)"]
        + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", scratch(name).string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  private func bytes(_ name: String) throws -> [UInt8] { try ScratchFolder.read(scratch(name)) }

  private func start(of name: String) throws -> String { String(decoding: try bytes(name).prefix(4), as: UTF8.self) }

  @Test(
    "It is a WebP or GIF beside the clip, which is kept until something changes",
    .enabled(if: Scope.isFull),
    arguments: ["webp", "gif"]
  )
  func file(_ format: String) async throws {
    try await make("a.mp4")
    let name = "a.mp4.preview.\(format)"
    let options = format == "gif" ? ["--format", "gif"] : []
    let line = "a.mp4 → \(name)  320×180  30 frames, 3.0 s"
    let result = try await animate(options + ["a.mp4"])
    #expect(result.text == "\(line)\n" && result.errorOutput == "" && result.exitStatus == 0)
    #expect(try scratch.names() == ["a.mp4", name])
    #expect(try start(of: name) == (format == "gif" ? "GIF8" : "RIFF"))
    let made = try bytes(name)

    #expect(try await animate(options + ["a.mp4"]).text == "\(line)  fresh\n")
    #expect(try await animate(options + ["--force", "a.mp4"]).text == "\(line)\n")
    #expect(try bytes(name) == made)
    let other = try await animate(options + ["--fps", "5", "--segments", "4", "--size", "160", "a.mp4"])
    #expect(other.text == "a.mp4 → \(name)  160×90  12 frames, 2.4 s\n")
    try await make("a.mp4", seconds: 2)
    #expect(try await animate(options + ["a.mp4"]).text == "a.mp4 → \(name)  320×180  20 frames, 2.0 s\n")
    // Cut off, it is made again.
    try scratch.write(try bytes(name).dropLast(9), as: name)
    #expect(try await animate(options + ["a.mp4"]).text == "a.mp4 → \(name)  320×180  20 frames, 2.0 s\n")
  }

  @Test("-o names a file, a folder or standard output, and the name decides the format")
  func output() async throws {
    try await make("a.mp4", seconds: 2, size: "160x90")
    try scratch.copy(scratch("a.mp4"), as: "b.mp4")
    #expect(try await animate(["-o", "x.gif", "a.mp4"]).exitStatus == 0)
    #expect(try await animate(["-o", "y.webp", "a.mp4"]).exitStatus == 0)
    #expect(try start(of: "x.gif") == "GIF8" && start(of: "y.webp") == "RIFF")
    #expect(try await animate(["-o", "out/", "a.mp4", "b.mp4"]).exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("out")) == ["a.mp4.preview.webp", "b.mp4.preview.webp"])
    let piped = try await animate(["-o", "-", "--format", "gif", "a.mp4"])
    #expect(piped.output == (try bytes("x.gif")) && piped.errorOutput == "")
  }

  @Test("Each clip has a JSON object, which is the same in a second run but for the times")
  func json() async throws {
    struct Record: Decodable, Equatable {
      struct Frames: Decodable, Equatable {
        var count, milliseconds, quality, damaged: Int
      }
      var status: String
      var animation, cover, requestedTime, format, reason: String?
      var frames: Frames?
      var segments, framesPerSecond, maximumBytes, width, height: Int?
      var segmentSeconds: Double?
    }
    try await make("a.mp4")
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "b.m4a")
    try scratch.copy(ProjectFolder.fixture("truncated-no-index.mp4"), as: "c.mp4")
    let result = try await animate(["--json", "--max-bytes", "1M", "a.mp4", "b.m4a", "c.mp4", "a.mp4"])
    #expect(result.exitStatus == 1)
    let records = try result.text.split(separator: "\n").map {
      try JSONDecoder().decode(Record.self, from: Data($0.utf8))
    }
    try #require(records.count == 4)
    var expected = Record(status: "animation", animation: "a.mp4.preview.webp", format: "webp")
    expected.frames = .init(count: 30, milliseconds: 3000, quality: 70, damaged: 0)
    (expected.segments, expected.segmentSeconds, expected.framesPerSecond) = (6, 0.5, 10)
    (expected.maximumBytes, expected.width, expected.height) = (1_000_000, 320, 180)
    #expect(records[0] == expected)
    #expect(records[1].status == "failed" && records[1].reason == "noVideoStream" && records[1].animation == nil)
    #expect(records[2].status == "incomplete" && records[2].reason == "noIndex")
    expected.status = "fresh"
    #expect(records[3] == expected)
  }

  @Test(
    "The file is not larger than --max-bytes, and a bound that cannot be met is refused",
    .enabled(if: Scope.isFull),
    arguments: ["webp", "gif"]
  )
  func bound(_ format: String) async throws {
    try await make("a.mp4")
    let name = "x.\(format)"
    #expect(try await animate(["-o", name, "a.mp4"]).exitStatus == 0)
    let limit = try bytes(name).count * 9 / 10000
    let result = try await animate(["-o", name, "--max-bytes", "\(limit)k", "a.mp4"])
    #expect(result.text.hasPrefix("a.mp4 → \(name)  320×180  30 frames, 3.0 s  quality "), "\(result.text)")
    #expect(try bytes(name).count <= limit * 1000)
    #expect(try await animate(["-o", name, "--max-bytes", "\(limit)k", "a.mp4"]).text.hasSuffix("fresh\n"))
    let kept = try bytes(name)
    let refused = try await animate(["-o", name, "--max-bytes", "2000", "a.mp4"])
    #expect(refused.exitStatus == 1 && refused.text == "")
    #expect(
      refused.errorOutput.hasPrefix("a.mp4: the animation is ")
        && refused.errorOutput.hasSuffix(
          " bytes even at the lowest quality, more than the limit of 2000; choose a smaller --size, a lower --fps or fewer --segments\n"
        )
    )
    #expect(try bytes(name) == kept)
  }

  @Test("Other people's files, links and the clip itself stay as they are")
  func obstacles() async throws {
    try await make("a.mp4", seconds: 1, size: "160x90")
    let name = "a.mp4.preview.webp"
    try scratch.write("mine".utf8, as: name)
    let refused = try await animate(["a.mp4"])
    #expect(refused.exitStatus == 1)
    #expect(
      refused.errorOutput.hasPrefix("a.mp4: \(name) exists and is not an animation made by clipcanvas"),
      "\(refused.errorOutput)"
    )
    #expect(try bytes(name) == Array("mine".utf8))
    #expect(try await animate(["--force", "a.mp4"]).exitStatus == 0)
    #expect(try start(of: name) == "RIFF")
    try #require(unlink(scratch(name).string) == 0 && symlink("a.mp4", scratch(name).string) == 0)
    let original = try bytes("a.mp4")
    let link = try await animate(["a.mp4"])
    #expect(link.exitStatus == 1 && link.errorOutput.contains("is a symbolic link"), "\(link.errorOutput)")
    #expect(try await animate(["--force", "a.mp4"]).exitStatus == 0)
    #expect(try bytes("a.mp4") == original && start(of: name) == "RIFF")
    try scratch.copy(scratch("a.mp4"), as: "clip")
    let clip = try await animate(["--force", "-o", "clip", "clip"])
    #expect(clip.exitStatus == 1 && clip.errorOutput.contains("is the clip itself"), "\(clip.errorOutput)")
    let both = try await animate(["-o", "x.webp", "--json", "a.mp4", "a.mp4"])
    #expect(both.exitStatus == 64)
  }

  @Test("An animation made by clipcanvas is not a clip", .enabled(if: Scope.isFull), arguments: ["webp", "gif"])
  func ownAnimation(_ format: String) async throws {
    try await make("a.mp4", seconds: 1, size: "160x90")
    _ = try await animate(["--format", format, "a.mp4"])
    let name = "a.mp4.preview.\(format)"
    for command in ["animate", "cover", "storyboard"] {
      let result = try await Program.run("clipcanvas", [command, name], in: scratch.path)
      #expect(result.exitStatus == 1 && result.errorOutput == "\(name): already an animation made by clipcanvas\n")
    }
    // A GIF made by another program is one.
    try scratch.copy(ProjectFolder.fixture("palette.gif"), as: "other.gif")
    #expect(try await animate(["other.gif"]).exitStatus == 0)
  }

  @Test(
    "Odd clips have an animation or a plain reason why not",
    .enabled(if: Scope.isFull),
    arguments: [
      ("single-frame.mp4", "160×120  1 frame, 0.1 s", ""), ("1x1.mkv", "1×1  1 frame, 0.2 s", ""),
      ("unknown-duration.mkv", "160×120  4 frames, 0.4 s", ""), ("sound-longer.mp4", "160×120  4 frames, 0.4 s", ""),
      ("size-change.webm", "96×64  8 frames, 0.8 s", ""),
      (
        "truncated-tail.mp4", "160×120  5 frames, 0.5 s",
        "warning: a: the file ends at 0.44 s, before the 1 s of its header: it was cut off, or is still being recorded\n"
      ),
      ("elementary.h264", "160×120  4 frames, 0.4 s", ""),
      ("sound-only.m4a", nil, "a: no video stream (1 audio stream); use a clip with video\n"),
      ("artwork-only.mp3", nil, "a: no video stream (1 audio stream and artwork); use a clip with video\n"),
    ] as [(String, String?, String)]
  )
  func odd(_ fixture: String, _ content: String?, _ errors: String) async throws {
    try scratch.copy(ProjectFolder.fixture(fixture), as: "a")
    let result = try await animate(["a"])
    #expect(result.text == (content.map { "a → a.preview.webp  \($0)\n" } ?? ""))
    #expect(result.errorOutput == errors && result.exitStatus == (content == nil ? 1 : 0))
  }

  @Test(
    "A clip with damage in the middle has a degraded animation, which is reported, also when it is fresh",
    .enabled(if: Scope.isFull)
  )
  func damage() async throws {
    try await make("a.mp4", seconds: 12, size: "160x90")
    var bytes = try bytes("a.mp4")
    let keys = try await StoredPacket.all(of: scratch("a.mp4")).filter(\.isKey)
    for index in keys[4].position..<keys[6].position { bytes[index] = UInt8(truncatingIfNeeded: index &* 37) }
    try scratch.write(bytes, as: "a.mp4")
    for state in ["degraded\n", "degraded  fresh\n"] {
      let result = try await animate(["a.mp4"])
      #expect(result.exitStatus == 0 && result.text.hasSuffix("25 frames, 2.5 s  \(state)"), "\(result.text)")
      #expect(result.errorOutput == "warning: a.mp4: 5 frames are damaged\n")
    }
  }

  @Test(
    "Chromium plays both formats in order, again and again",
    .enabled(if: Scope.isFull),
    .enabled(if: Browser.isHere, Comment(rawValue: Browser.absence))
  )
  func browser() async throws {
    let program = ProjectFolder.program("clipcanvas").string
    let result = try await Browser.run("animation_page.py", [program, scratch.path.string])
    #expect(result.exitStatus == 0, "\(result.text) \(result.errorOutput)")
    #expect(result.text.hasSuffix("0 of 2 animations are wrong\n"))
  }

  @Test(
    "Values that cannot be used are refused with those that can",
    .enabled(if: Scope.isFull),
    arguments: [
      (["--segments", "0"], "'--segments' takes a number from 1 to 20, not '0'"),
      (["--segment-length", "0.05"], "'0.05' is not the length of a segment: use seconds from 0.1 to 10"),
      (["--segment-length", "nan"], "'nan' is not the length of a segment"),
      (["--fps", "31"], "'--fps' takes a whole number from 1 to 30, not '31'"),
      (["--quality", "0"], "'--quality' takes a number from 1 to 100, not '0'"),
      (["--format", "png"], "'png' is not a format of animations: use webp or gif"),
      (
        ["--max-bytes", "0"], "'0' is not the size of a file: use 500k, 2M or a number of bytes, up to 1073M"
      ),
      (["--max-bytes", "9999999999999999999M"], "is not the size of a file"),
      (["--max-bytes", "-1"], "is not the size"),
      (["--max-bytes", "k"], "'k' is not the size of a file"), (["--max-bytes", "1.5M"], "is not the size of a file"),
      (
        ["--segments", "20", "--segment-length", "10"],
        "the animation would have 2000 frames, more than 600: choose fewer --segments, a shorter --segment-length or a "
          + "lower --fps"
      ),
      (["-o", "x.png"], "'-o x.png' is not the name of an animation: use .webp or .gif"),
      (["-o", "x.gif", "--format", "webp"], "'-o x.gif' and '--format webp' name two formats; use one of them"),
    ]
  )
  func usage(_ options: [String], _ words: String) async throws {
    let result = try await animate(options + ["a.mp4"])
    #expect(result.exitStatus == 64 && result.errorOutput.contains(words), "\(result.errorOutput)")
  }
}
