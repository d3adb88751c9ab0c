import FoundationEssentials
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("clipcanvas storyboard", .ownThread)
struct StoryboardTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func storyboard(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["storyboard"] + arguments, in: scratch.path)
  }

  /// Makes a clip with a key frame every second.
  private func make(_ name: String, seconds: Double = 25, size: String = "160x90") async throws {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=10:d=\(seconds)", "-c:v", "libx264"]
        + ["-preset", "ultrafast", "-g", "10", scratch(name).string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try ScratchFolder.read(scratch(name)), as: UTF8.self)
  }

  private func pixels(_ name: String) async throws -> RawPixels {
    try await Oracle.pixels(of: scratch(name), demuxer: "jpeg_pipe", hasAlpha: false)
  }

  @Test(
    "It is a folder of sheets and a list of their tiles, which is kept until something changes",
    .enabled(if: Scope.isFull)
  )
  func folder() async throws {
    try await make("a.mp4")
    let arguments = ["--interval", "2.5s", "--tile", "4x2", "--width", "80", "a.mp4"]
    let result = try await storyboard(arguments)
    #expect(result.text == "a.mp4 → a.mp4.storyboard  2 sheets, 10 tiles of 80×45\n" && result.errorOutput == "")
    #expect(try scratch.names() == ["a.mp4", "a.mp4.storyboard"])
    #expect(try ScratchFolder.names(in: scratch("a.mp4.storyboard")) == ["0.jpg", "1.jpg", "storyboard.vtt"])
    let (first, second) = (
      try await pixels("a.mp4.storyboard/0.jpg"), try await pixels("a.mp4.storyboard/1.jpg")
    )
    #expect([first.width, first.height, second.width, second.height] == [320, 90, 160, 45])

    let fresh = try await storyboard(arguments)
    #expect(fresh.text == "a.mp4 → a.mp4.storyboard  2 sheets, 10 tiles of 80×45  fresh\n")
    let other = try await storyboard(["--interval", "5s"] + arguments.dropFirst(2))
    #expect(other.text == "a.mp4 → a.mp4.storyboard  1 sheet, 5 tiles of 80×45\n")
    #expect(try ScratchFolder.names(in: scratch("a.mp4.storyboard")) == ["0.jpg", "storyboard.vtt"])
    #expect(try await storyboard(["--force"] + arguments).text.hasSuffix("2 sheets, 10 tiles of 80×45\n"))
    try await make("a.mp4", seconds: 6)
    #expect(try await storyboard(arguments).text.hasSuffix("1 sheet, 3 tiles of 80×45\n"))
  }

  @Test("On a terminal, a line shows how many sheets are done, and is erased in the end")
  func progress() async throws {
    try await make("a.mp4")
    let program = ProjectFolder.program("clipcanvas")
    let result = try await Program.runTool(
      "script",
      ["-qec", "'\(program)' storyboard --interval 2.5s --tile 4x2 --width 80 a.mp4", "/dev/null"],
      in: scratch.path
    )
    let line = "\r\u{1B}[?7la.mp4: 1 of 2 sheets\u{1B}[K\u{1B}[?7h\r\u{1B}[K"
    #expect(result.text == line + "a.mp4 → a.mp4.storyboard  2 sheets, 10 tiles of 80×45\r\n", "\(result.text)")
  }

  @Test("The list names every tile with its time, sheet and position")
  func list() async throws {
    try await make("a.mkv", seconds: 11)
    _ = try await storyboard(["--interval", "4", "--tile", "2x1", "--width", "64", "a.mkv"])
    #expect(
      try text("a.mkv.storyboard/storyboard.vtt") == """
        WEBVTT

        00:00:00.000 --> 00:00:04.000
        0.jpg#xywh=0,0,64,36

        00:00:04.000 --> 00:00:08.000
        0.jpg#xywh=64,0,64,36

        00:00:08.000 --> 00:00:11.000
        1.jpg#xywh=0,0,64,36

        """
    )
  }

  /// An hour does not fit into the file, so its packets are read to find the duration; a minute does.
  @Test(
    "A duration that is far too long makes no sheets that only repeat the last frame",
    arguments: [
      (3600, 3, "00:00:04.000 --> 00:00:06.000\n0.jpg#xywh=0,36,64,36\n"),
      (60, 4, "00:00:06.000 --> 00:01:00.000\n0.jpg#xywh=64,36,64,36\n"),
    ]
  )
  func falseDuration(_ seconds: Int, _ tiles: Int, _ end: String) async throws {
    try await make("whole.mkv", seconds: 6)
    var bytes = try ScratchFolder.read(scratch("whole.mkv"))
    // The element of the duration, as a number of eight bytes in milliseconds.
    let element = try #require(bytes.firstRange(of: [0x44, 0x89, 0x88])).upperBound
    let duration = withUnsafeBytes(of: (Double(seconds) * 1000).bitPattern.bigEndian, Array.init)
    bytes.replaceSubrange(element..<element + 8, with: duration)
    try scratch.write(bytes, as: "a.mkv")
    let result = try await storyboard(["--interval", "2", "--tile", "2x2", "--width", "64", "a.mkv"])
    #expect(result.exitStatus == 0 && result.text.contains("1 sheet, \(tiles) tiles of"), "\(result.text)")
    let list = try text("a.mkv.storyboard/storyboard.vtt")
    #expect(list.hasSuffix(end), "\(list)")
  }

  @Test("In Jellyfin's layout, sheets have Jellyfin's names and the size of the whole grid", .enabled(if: Scope.isFull))
  func jellyfin() async throws {
    try await make("film.mkv", seconds: 25, size: "640x360")
    try await make("small.mkv", seconds: 25)
    let arguments = ["--layout", "jellyfin", "film.mkv", "small.mkv"]
    let result = try await storyboard(arguments)
    #expect(
      result.text == """
        film.mkv → film.trickplay/320 - 10x10  1 sheet, 3 tiles of 320×180
        small.mkv → small.trickplay/160 - 10x10  1 sheet, 3 tiles of 160×90

        """
    )
    #expect(try ScratchFolder.names(in: scratch("film.trickplay/320 - 10x10")) == ["0.jpg"])
    let sheet = try await pixels("film.trickplay/320 - 10x10/0.jpg")
    #expect(sheet.width == 3200 && sheet.height == 1800)
    let fresh = try await storyboard(arguments)
    #expect(fresh.text.split(separator: "\n").allSatisfy { $0.hasSuffix("fresh") }, "\(fresh.text)")
  }

  @Test("With -o, the storyboards of all clips are in one folder, which is created")
  func output() async throws {
    try await make("a.mp4", seconds: 3)
    try FilePath.makeFolder(scratch("more"))
    try scratch.copy(scratch("a.mp4"), as: "more/b.mp4")
    let result = try await storyboard(["-o", "x/y", "a.mp4", "more/b.mp4"])
    #expect(result.exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("x/y")) == ["a.mp4.storyboard", "b.mp4.storyboard"])
    // Another clip of the same name does not take its place.
    try await make("more/a.mp4", seconds: 5)
    let refused = try await storyboard(["-o", "x/y", "more/a.mp4"])
    #expect(refused.exitStatus == 1)
    #expect(
      refused.errorOutput == """
        more/a.mp4: x/y/a.mp4.storyboard is the storyboard of \(scratch("a.mp4")); specify another place with -o, or \
        replace it with --force

        """
    )
    #expect(try await storyboard(["-o", "x/y", "--force", "more/a.mp4"]).exitStatus == 0)
  }

  @Test("Each clip has a JSON object")
  func json() async throws {
    struct Record: Decodable, Equatable {
      var status: String
      var storyboard: String?
      var columns, rows: Int
      var interval: Double
      var sheets, tiles, tileWidth, tileHeight: Int?
      var durationSeconds: Double?
      var reason, stage: String?
    }
    try await make("a.mp4")
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "b.m4a")
    try scratch.copy(ProjectFolder.fixture("truncated-no-index.mp4"), as: "c.mp4")
    let result = try await storyboard(["--json", "a.mp4", "b.m4a", "c.mp4", "a.mp4"])
    #expect(result.exitStatus == 1)
    let records = try result.text.split(separator: "\n").map {
      try JSONDecoder().decode(Record.self, from: Data($0.utf8))
    }
    try #require(records.count == 4)
    #expect(
      records[0]
        == Record(
          status: "storyboard",
          storyboard: "a.mp4.storyboard",
          columns: 10,
          rows: 10,
          interval: 10,
          sheets: 1,
          tiles: 3,
          tileWidth: 160,
          tileHeight: 90,
          durationSeconds: 25
        )
    )
    #expect(records[1].status == "failed" && records[1].reason == "noVideoStream" && records[1].sheets == nil)
    #expect(records[2].status == "incomplete" && records[2].reason == "noIndex")
    var fresh = records[0]
    fresh.status = "fresh"
    #expect(records[3] == fresh)
  }

  @Test("A folder with other files, a file or a link at its place stays as it is", .enabled(if: Scope.isFull))
  func obstacles() async throws {
    try await make("a.mp4", seconds: 3)
    let place = scratch("a.mp4.storyboard")
    func expectRefusal(_ words: String, _ options: [String] = []) async throws {
      let result = try await storyboard(options + ["a.mp4"])
      #expect(
        result.exitStatus == 1 && result.errorOutput.contains("a.mp4.storyboard \(words)"),
        "\(result.errorOutput)"
      )
      #expect(try scratch.names().sorted() == ["a.mp4", "a.mp4.storyboard"])
    }
    try FilePath.makeFolder(place)
    try scratch.write("mine".utf8, as: "a.mp4.storyboard/notes.txt")
    let words = "is a folder with files that clipcanvas did not make; move it away, or name another folder with -o"
    try await expectRefusal(words)
    try await expectRefusal(words, ["--force"])
    #expect(try text("a.mp4.storyboard/notes.txt") == "mine")
    try #require(unlink(place.appending("notes.txt").string) == 0 && rmdir(place.string) == 0)
    try scratch.write("mine".utf8, as: "a.mp4.storyboard")
    try await expectRefusal("exists and is not a storyboard made by clipcanvas")
    try await expectRefusal("", ["--force"])
    #expect(try text("a.mp4.storyboard") == "mine")
    try #require(unlink(place.string) == 0 && symlink("/tmp", place.string) == 0)
    try await expectRefusal("is a symbolic link")
  }

  @Test("A failure leaves an older storyboard as it was, and nothing else", .enabled(if: Scope.isFull))
  func failure() async throws {
    try await make("a.mp4", seconds: 12)
    _ = try await storyboard(["--tile", "2x2", "--interval", "1s", "a.mp4"])
    let names = try ScratchFolder.names(in: scratch("a.mp4.storyboard"))
    let sheet = try ScratchFolder.read(scratch("a.mp4.storyboard/0.jpg"))
    // A clip that is still being recorded.
    try scratch.write(try ScratchFolder.read(scratch("a.mp4")).prefix(3000), as: "a.mp4")
    let result = try await storyboard(["--tile", "2x2", "--interval", "1s", "a.mp4"])
    #expect(result.exitStatus == 1)
    #expect(try ScratchFolder.names(in: scratch("a.mp4.storyboard")) == names)
    #expect(try ScratchFolder.read(scratch("a.mp4.storyboard/0.jpg")) == sheet)
    #expect(try scratch.names() == ["a.mp4", "a.mp4.storyboard"])
  }

  @Test(
    "A killed run leaves the older storyboard complete, and the next run removes what it left",
    .enabled(if: Scope.isFull)
  )
  func kill() async throws {
    try await make("a.mp4", seconds: 60)
    let coarse = ["--interval", "10", "--tile", "2x2", "a.mp4"]
    let fine = ["--interval", "0.1", "--tile", "2x2", "a.mp4"]
    _ = try await storyboard(coarse)
    let names = try ScratchFolder.names(in: scratch("a.mp4.storyboard"))
    let list = try text("a.mp4.storyboard/storyboard.vtt")
    let program = try RunningProgram("clipcanvas", ["storyboard"] + fine, scratch: scratch, label: "killed")
    // A few of the 150 sheets are written, and none of them is visible.
    try await eventually("the sheets are being written") {
      try scratch.names().contains { $0.hasPrefix(".clipcanvas-") }
    }
    program.send(SIGKILL)
    _ = try await program.end()
    #expect(try ScratchFolder.names(in: scratch("a.mp4.storyboard")) == names)
    #expect(try text("a.mp4.storyboard/storyboard.vtt") == list)
    #expect(try await storyboard(coarse).text.hasSuffix("fresh\n"))
    // A run may also be killed while it writes its first sheet.
    let half = ".clipcanvas-1-abc.tmp"
    try #require(mkdir(scratch(half).string, 0o777) == 0)
    try scratch.write(try ScratchFolder.read(scratch("a.mp4.storyboard/0.jpg")).prefix(7), as: half + "/0.jpg")
    #expect(try await storyboard(["--force"] + coarse).exitStatus == 0)
    #expect(try !scratch.names().contains { $0.hasPrefix(".") })
  }

  @Test(
    "A list that is not that of the sheets is made again",
    .enabled(if: Scope.isFull),
    arguments: [nil, "", "WEBVTT\n"]
  )
  func otherList(_ other: String?) async throws {
    try await make("a.mp4", seconds: 12)
    let arguments = ["--tile", "2x2", "--interval", "1s", "a.mp4"]
    _ = try await storyboard(arguments)
    let list = try text("a.mp4.storyboard/storyboard.vtt")
    try ScratchFolder.remove(scratch("a.mp4.storyboard/storyboard.vtt"))
    if let other { try scratch.write(other.utf8, as: "a.mp4.storyboard/storyboard.vtt") }
    let batch = ["batch", "--dry-run", "--no-cover", "--storyboard"] + arguments
    let dry = try await Program.run("clipcanvas", batch, in: scratch.path)
    #expect(dry.text.hasPrefix("would make a.mp4.storyboard: the file is damaged\n"), "\(dry.text)")
    #expect(try await storyboard(arguments).text.hasSuffix("12 tiles of 160×90\n"))
    #expect(try text("a.mp4.storyboard/storyboard.vtt") == list)
    #expect(try await storyboard(arguments).text.hasSuffix("fresh\n"))
  }

  @Test(
    "A run that is interrupted leaves nothing but what was there before",
    .enabled(if: Scope.isFull),
    arguments: [SIGINT, SIGTERM, SIGHUP]
  )
  func interruption(_ signal: Int32) async throws {
    try await make("a.mp4", seconds: 60)
    let arguments = ["storyboard", "--interval", "0.1", "--tile", "2x2", "a.mp4", "a.mp4"]
    let program = try RunningProgram("clipcanvas", arguments, scratch: scratch)
    try await eventually("the sheets are being written") {
      try scratch.names().contains { $0.hasPrefix(".clipcanvas-") }
    }
    program.send(signal)
    let result = try await program.end()
    #expect(result.exitStatus == 128 + Int(signal) && result.text.isEmpty && result.errorOutput.isEmpty)
    #expect(try scratch.names() == ["a.mp4", "run.err", "run.out"])
  }

  @Test(
    "A clip with damage in the middle has a degraded storyboard that says so, even if a whole sheet is damaged",
    .enabled(if: Scope.isFull),
    arguments: [(3...3, 1, "1 of 12 tiles is damaged"), (3...9, 3, "7 of 12 tiles are damaged")]
  )
  func damage(_ seconds: ClosedRange<Int>, _ sheets: Int, _ warning: String) async throws {
    try await make("a.mp4", seconds: 12)
    var bytes = try ScratchFolder.read(scratch("a.mp4"))
    // From the key frame of the first damaged second to just before that of the next intact one.
    let keys = try await StoredPacket.all(of: scratch("a.mp4")).filter(\.isKey)
    for index in keys[seconds.lowerBound].position..<keys[seconds.upperBound + 1].position {
      bytes[index] = UInt8(truncatingIfNeeded: index &* 37)
    }
    try scratch.write(bytes, as: "a.mp4")
    let grid = sheets == 1 ? "4x3" : "2x2"
    for state in ["degraded\n", "degraded  fresh\n"] {
      let result = try await storyboard(["--interval", "1", "--tile", grid, "a.mp4"])
      #expect(result.exitStatus == 0 && result.text.hasSuffix(state), "\(result.text) \(result.errorOutput)")
      #expect(result.text.contains("\(sheets) sheet\(sheets == 1 ? "" : "s"), 12 tiles of 160×90"))
      #expect(result.errorOutput == "warning: a.mp4: \(warning)\n")
    }
  }

  @Test(
    "While one seeks in Chromium, the tile shows what the video shows",
    .enabled(if: Scope.isFull),
    .enabled(if: Browser.isHere, Comment(rawValue: Browser.absence))
  )
  func player() async throws {
    let program = ProjectFolder.program("clipcanvas").string
    let result = try await Browser.run("storyboard_player.py", [program, scratch.path.string])
    #expect(result.exitStatus == 0, "\(result.text) \(result.errorOutput)")
    #expect(result.text.hasSuffix("0 of 33 times are wrong\n"))
  }

  @Test(
    "Values that cannot be used are refused with those that can",
    arguments: [
      (["--interval", "0"], "'0' is not an interval: use 10, 2.5, 1:30 or 1m30s, from 0.1 seconds to a day"),
      (["--interval", "50%"], "'50%' is not an interval"),
      (["--tile", "10"], "'10' is not a grid: use columns and rows such as 10x10, each from 1 to 20"),
      (["--tile", "21x1"], "'21x1' is not a grid"),
      (["--width", "0"], "'--width' takes pixels from 1 to 1600, not '0'"),
      (
        ["--width", "1600", "--tile", "20x20"],
        "a sheet of 20x20 tiles of 1600 pixels is larger than 16384 pixels: choose a smaller --width or --tile"
      ),
    ]
  )
  func usage(_ options: [String], _ words: String) async throws {
    let result = try await storyboard(options + ["a.mp4"])
    #expect(result.exitStatus == 64 && result.errorOutput.contains(words), "\(result.errorOutput)")
  }

  @Test("Too many tiles are refused with the bound, and tiles of one pixel are made", .enabled(if: Scope.isFull))
  func extremes() async throws {
    try await make("a.mp4", seconds: 3)
    let made = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=0.001", "-frames:v", "5"]
        + [scratch("b.mp4").string]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    try await make("c.mp4", seconds: 10, size: "1600x900")
    let large = try await storyboard(["--width", "1600", "--interval", "0.1", "c.mp4"])
    #expect(
      large.errorOutput == """
        c.mp4: a sheet would have 16000×9000 pixels, more than the limit of 50000000; choose smaller tiles, or fewer per sheet

        """
    )
    // A sheet that is not full is smaller.
    #expect(try await storyboard(["--width", "1600", "--interval", "1", "c.mp4"]).exitStatus == 0)
    let result = try await storyboard(["--interval", "0.1", "--width", "1", "a.mp4", "b.mp4"])
    #expect(result.text == "a.mp4 → a.mp4.storyboard  1 sheet, 30 tiles of 1×1\n")
    #expect(
      result.errorOutput == """
        b.mp4: the storyboard would have 50000 tiles; the limit is 20000; choose a longer interval

        """
    )
  }
}
