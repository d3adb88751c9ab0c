import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas cover")
struct CoverCommandTests {
  private func cover(_ arguments: [String], in scratch: ScratchFolder) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["cover"] + arguments, in: scratch.path)
  }

  @Test(
    "A number of seconds past the end that may be meant as a percentage gets a hint",
    .enabled(if: Scope.isFull),
    arguments: ["50", "1000", "50%", "0.5"]
  )
  func percentHint(_ time: String) async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let warning = "warning: a.mp4: the clip ends before \(time) s; used the last frame"
    let expected = ["50": "\(warning); did you mean --at 50%?\n", "1000": "\(warning)\n"][time] ?? ""
    for _ in 0..<2 {
      let result = try await cover(["--at", time, "a.mp4"], in: scratch)
      #expect(result.exitStatus == 0 && result.errorOutput == expected, "\(result.errorOutput)")
    }
    #expect(try await cover(["--json", "--at", time, "a.mp4"], in: scratch).errorOutput.isEmpty)
  }

  @Test("The cover is written next to the clip and reported in one line")
  func besideTheClip() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "a.mp4")
    let result = try await cover(["a.mp4"], in: scratch)
    #expect(result.exitStatus == 0)
    #expect(result.text == "a.mp4 → a.mp4.png  120×160  0.000 s\n")
    #expect(result.errorOutput.isEmpty)
    #expect(try scratch.names() == ["a.mp4", "a.mp4.png"])
  }

  @Test("A fresh cover is left alone, and a stale one is made again", .enabled(if: Scope.isFull))
  func freshness() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    #expect(try await cover(["a.mp4"], in: scratch).text == "a.mp4 → a.mp4.png  160×120  0.000 s\n")
    #expect(try await cover(["a.mp4"], in: scratch).text == "a.mp4 → a.mp4.png  160×120  0.000 s  fresh\n")
    // A different request, --force, and a changed clip.
    #expect(try await cover(["--size", "80", "a.mp4"], in: scratch).text.contains("80×60"))
    #expect(try await cover(["--size", "80", "--force", "a.mp4"], in: scratch).text.contains("80×60"))
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "a.mp4")
    #expect(try await cover(["--size", "80", "a.mp4"], in: scratch).text.contains("60×80"))
  }

  @Test("The same clip always gives the same bytes", .enabled(if: Scope.isFull))
  func sameBytes() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    _ = try await cover(["a.mp4"], in: scratch)
    let first = try ScratchFolder.read(scratch("a.mp4.png"))
    _ = try await cover(["--force", "a.mp4"], in: scratch)
    #expect(try ScratchFolder.read(scratch("a.mp4.png")) == first)
  }

  @Test("A foreign file is replaced only with --force", .enabled(if: Scope.isFull))
  func foreignFile() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try scratch.write(Array("a photograph".utf8), as: "a.mp4.png")
    let refused = try await cover(["a.mp4"], in: scratch)
    #expect(refused.exitStatus == 1)
    #expect(refused.errorOutput.contains("a.mp4.png exists and is not a cover made by clipcanvas"))
    #expect(try ScratchFolder.read(scratch("a.mp4.png")) == Array("a photograph".utf8))
    #expect(try await cover(["--force", "a.mp4"], in: scratch).exitStatus == 0)
    #expect(try ScratchFolder.read(scratch("a.mp4.png")).starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test("An empty file is replaced, because desktops create one before they run a thumbnailer")
  func emptyFile() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try scratch.write([], as: "out.png")
    #expect(try await cover(["-o", "out.png", "a.mp4"], in: scratch).exitStatus == 0)
  }

  @Test("An output folder is created if it is missing")
  func folder() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try scratch.copy(ProjectFolder.fixture("vp9.webm"), as: "b.webm")
    let result = try await cover(["-o", "x/y", "a.mp4", "b.webm"], in: scratch)
    #expect(result.exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("x").appending("y")) == ["a.mp4.png", "b.webm.png"])
    #expect(try await cover(["-o", "single/", "a.mp4"], in: scratch).exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("single")) == ["a.mp4.png"])
  }

  @Test("Two clips with the same name do not overwrite each other's cover")
  func duplicate() async throws {
    let scratch = try ScratchFolder()
    for folder in ["one", "two"] {
      try FilePath.makeFolder(scratch(folder))
      try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "\(folder)/a.mp4")
    }
    let result = try await cover(["-o", "covers/", "one/a.mp4", "two/a.mp4"], in: scratch)
    #expect(result.exitStatus == 1)
    #expect(result.text.contains("one/a.mp4 → covers/a.mp4.png"))
    #expect(
      result.errorOutput
        == "two/a.mp4: the cover of one/a.mp4 is also written to covers/a.mp4.png; use two folders\n"
    )
  }

  @Test("`-o -` writes one PNG and nothing else to standard output")
  func standardOutput() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let result = try await cover(["-o", "-", "a.mp4"], in: scratch)
    #expect(result.exitStatus == 0)
    try scratch.write(result.output, as: "piped.png")
    let pixels = try await Oracle.pixels(ofPNG: scratch("piped.png"), hasAlpha: false)
    #expect(pixels.width == 160 && pixels.height == 120)
    #expect(try await cover(["-o", "-", "a.mp4", "a.mp4"], in: scratch).exitStatus == 64)
    #expect(try await cover(["-o", "-", "--json", "a.mp4"], in: scratch).exitStatus == 64)
  }

  @Test(
    "--at selects the frame that is presented at that time",
    .enabled(if: Scope.isFull),
    arguments: [
      ("first", 0.0), ("0", 0), ("0.41", 0.4), ("0:00.5", 0.48), ("50%", 0.48), ("100%", 0.96), ("7", 0.96),
    ]
  )
  func time(_ text: String, _ seconds: Double) async throws {
    // The clip has 25 frames in one second: frame n is presented at n / 25.
    let scratch = try ScratchFolder()
    let clip = ProjectFolder.fixture("h264.mp4")
    let (record, _) = try await CoverRun.record(of: clip, to: scratch("cover.png"), ["--at", text])
    #expect(record.actualTime.map { abs($0 - seconds) < 1e-6 } == true, "\(record)")
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let reference = try await Oracle.cover(of: clip, frame: Int((seconds * 25).rounded()))
    let difference = try #require(PixelDifference(cover, reference))
    #expect(difference.decibels >= 40, "\(difference)")
  }

  @Test(
    "Invalid times and sizes are refused",
    .enabled(if: Scope.isFull),
    arguments: ["--at=-1", "--at=nan", "--at=101%", "--size=0", "--size=9x"]
  )
  func badOption(_ option: String) async throws {
    let scratch = try ScratchFolder()
    #expect(try await cover([option, "a.mp4"], in: scratch).exitStatus == 64)
  }

  @Test(
    "A list of times makes a numbered cover of each, and what is wrong with a clip is said once",
    .enabled(if: Scope.isFull)
  )
  func severalTimes() async throws {
    let scratch = try ScratchFolder()
    let clip = ProjectFolder.fixture("1080p.mp4").string
    let arguments = ["--size", "64", "--at", "first,50%,key:90%", "-o", "covers/", clip]
    let result = try await cover(["--json"] + arguments + ["missing.mp4"], in: scratch)
    #expect(result.exitStatus == 1)
    let records = try CoverRecord.all(in: result)
    let times: [String?] = ["first", "50.0%", "key:90.0%"]
    #expect(records.map(\.requestedTime) == times + times)
    #expect(records.map(\.status) == ["cover", "cover", "cover", "failed", "failed", "failed"])
    for (number, seconds) in [(1, "0"), (2, "50%"), (3, "0")] {
      let alone = try await cover(["--size", "64", "--at", seconds, "-o", "alone.png", "--force", clip], in: scratch)
      #expect(alone.exitStatus == 0)
      let pixels = try await (
        Oracle.pixels(ofPNG: scratch("covers/1080p.mp4.\(number).png"), hasAlpha: false),
        Oracle.pixels(ofPNG: scratch("alone.png"), hasAlpha: false)
      )
      #expect(try #require(PixelDifference(pixels.0, pixels.1)).decibels > 38, "\(number)")
    }
    let again = try await cover(arguments + ["missing.mp4"], in: scratch)
    #expect(again.text.split(separator: "\n").count { $0.hasSuffix("fresh") } == 3)
    #expect(again.errorOutput.split(separator: "\n").count { $0.contains("missing.mp4") } == 1, "\(again.errorOutput)")
  }

  @Test("A clip is opened once for a list of times")
  func severalTimesFromOneClip() async throws {
    let scratch = try ScratchFolder()
    let decoder = try TestDecoder.watched(in: scratch)
    let clips = ["h264.mp4", "h264-faststart.mov"].map { ProjectFolder.fixture($0).string }
    _ = try await Program.run(
      "clipcanvas",
      ["cover", "--at", "20%,50%,key:70%", "-o", "covers/"] + clips,
      in: scratch.path,
      environment: ["CLIPCANVAS_DECODER": decoder.string]
    )
    let opened = String(decoding: try ScratchFolder.read(scratch("decoder.opened")), as: UTF8.self)
    #expect(opened.split(separator: "\n").count { $0.contains(" opened ") } == 2, "\(opened)")
  }

  @Test("Clips may have any name", .enabled(if: Scope.isFull), arguments: OddNames.all)
  func oddName(_ name: [UInt8]) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch.path.bytesAppending(name)
    try ScratchFolder.write(try ScratchFolder.read(ProjectFolder.fixture("h264.mp4")), to: clip)
    // Runs in the clip's folder, so that no path precedes a dash or a colon at the start of the name.
    let result = try await Program.run(
      .path(ProjectFolder.program("clipcanvas")),
      Arguments([Array("cover\0".utf8), Array("--\0".utf8), name + [0]]),
      in: scratch.path
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(ProjectFolder.isThere(scratch.path.bytesAppending(name + Array(".png".utf8))))
    let controls = result.text.unicodeScalars.filter { $0.value < 32 && $0 != "\n" || $0.value == 127 }
    #expect(controls.isEmpty && result.text.filter { $0 == "\n" }.count == 1, "\(result.text)")
  }
}

/// File names that programs often get wrong.
enum OddNames {
  static let all: [[UInt8]] =
    [
      "clip 13:19:57.webm", "-x.mp4", "--help", "a%03d.mp4", "new\nline.mp4", "e\u{301}.mp4", "🎬.mp4",
      "\u{1B}[31mred.mp4",
      "file:a.mp4", "pipe:0", "concat:a|b.mp4", "[x]*?.mp4", "quote'\".mp4", "\u{10FF80}.mp4",
    ].map { Array($0.utf8) } + [Array("latin-".utf8) + [0xE9, 0xFF] + Array(".mp4".utf8)]
}

extension FilePath {
  /// Returns the path with a last component of arbitrary bytes.
  func bytesAppending(_ name: [UInt8]) -> FilePath {
    FilePath(platformString: (Array(string.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) })
  }
}
