import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas sheet")
struct ContactSheetTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func sheet(_ arguments: [String], environment: [String: String] = [:]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["sheet"] + arguments, in: scratch.path, environment: environment)
  }

  /// The parts of a record that the tests use.
  private struct Record: Decodable {
    struct Tiles: Decodable {
      let width: Int
      let height: Int
      let times: [Double?]
      let damaged: Int
    }

    let status: String
    let sheet: String?
    let width: Int?
    let tiles: Tiles?
    let reason: String?
    let warnings: [String]?
  }

  private func record(_ arguments: [String]) async throws -> Record {
    let result = try await sheet(["--json"] + arguments)
    return try JSONDecoder().decode(Record.self, from: Data(result.output))
  }

  /// Makes a clip of 160 × 90 pixels with a key frame every second.
  private func make(_ name: String, seconds: Double = 12, _ options: [String] = []) async throws {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=\(seconds)", "-c:v", "libx264"]
        + ["-preset", "ultrafast", "-g", "10"] + options + [scratch(name).string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  private func pixels(_ name: String) async throws -> RawPixels {
    try await Oracle.pixels(ofPNG: scratch(name), hasAlpha: false)
  }

  private func part(of picture: RawPixels, left: Int, top: Int, width: Int, height: Int) -> RawPixels {
    var bytes: [UInt8] = []
    for y in top..<top + height {
      let start = 3 * (y * picture.width + left)
      bytes += picture.bytes[start..<start + 3 * width]
    }
    return RawPixels(width: width, height: height, channels: 3, bytes: bytes)
  }

  // MARK: - The picture

  @Test(
    "It shows the frames at their times, in rows",
    .enabled(if: Scope.isFull),
    arguments: [
      ("a.mp4", []), ("a.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime"]), ("a.ts", ["-c:v", "mpeg2video"]),
      ("long.mkv", ["-g", "1000"]),
    ]
  )
  func frames(_ name: String, _ options: [String]) async throws {
    try await make(name, options)
    let record = try await record(["--no-header", "--no-timestamps", "--grid", "4x2", name])
    #expect(record.status == "sheet" && record.sheet == "\(name).sheet.png")
    let tiles = try #require(record.tiles)
    #expect(tiles.width == 160 && tiles.height == 90 && tiles.times.count == 8 && tiles.damaged == 0)
    let picture = try await pixels("\(name).sheet.png")
    // Margins of four pixels, and two between the frames.
    #expect(picture.width == 4 * 160 + 3 * 2 + 8 && picture.height == 2 * 90 + 2 + 8)
    for (number, time) in tiles.times.enumerated() {
      let time = try #require(time)
      let reference = try await Oracle.pixels(of: scratch(name), ["-ss", "\(max(0, time - 0.02))"])
      let tile = part(of: picture, left: 4 + number % 4 * 162, top: 4 + number / 4 * 92, width: 160, height: 90)
      let difference = try #require(PixelDifference(tile, reference))
      #expect(difference.decibels >= 38, "frame \(number) at \(time): \(difference)")
    }
    let ground = try #require(
      PixelDifference(
        part(of: picture, left: 0, top: 0, width: picture.width, height: 4),
        RawPixels(width: picture.width, height: 4, channels: 3, bytes: Array(repeating: 255, count: picture.width * 12))
      )
    )
    #expect(ground.largest == 0)
  }

  @Test("The header and the times are drawn where they belong, and change nothing else", .enabled(if: Scope.isFull))
  func texts() async throws {
    try await make("a.mp4")
    let plain = ["--no-header", "--no-timestamps", "-o", "plain.png", "a.mp4"]
    _ = try await sheet(plain)
    _ = try await sheet(["--no-header", "-o", "times.png", "a.mp4"])
    _ = try await sheet(["-o", "all.png", "a.mp4"])
    let (bare, timed, all) = (try await pixels("plain.png"), try await pixels("times.png"), try await pixels("all.png"))
    #expect(bare.width == timed.width && bare.height == timed.height)
    // Only the lower right corner of each frame changes.
    var changed = Set<Int>()
    for place in 0..<bare.width * bare.height {
      let range = 3 * place..<3 * place + 3
      guard bare.bytes[range] != timed.bytes[range] else { continue }
      let (x, y) = (place % bare.width - 4, place / bare.width - 4)
      #expect(x % 162 >= 100 && y % 92 >= 60, "\(x), \(y)")
      changed.insert(y / 92 * 4 + x / 162)
    }
    #expect(changed.count == 12)
    // The header is above the same picture.
    let header = all.height - timed.height
    #expect(all.width == timed.width && header > 20)
    let below = part(of: all, left: 0, top: header + 4, width: all.width, height: timed.height - 4)
    #expect(below.bytes == part(of: timed, left: 0, top: 4, width: all.width, height: timed.height - 4).bytes)
    let dark = part(of: all, left: 4, top: 4, width: all.width - 8, height: header).bytes.count { $0 < 64 }
    #expect(dark > 200, "the name is written in dark letters")
  }

  @Test("The dark theme has a dark ground and light letters")
  func theme() async throws {
    try await make("a.mp4")
    _ = try await sheet(["--theme", "dark", "-o", "dark.png", "a.mp4"])
    let picture = try await pixels("dark.png")
    #expect(picture.bytes.prefix(3) == [24, 24, 27])
    #expect(part(of: picture, left: 4, top: 4, width: 200, height: 30).bytes.contains { $0 > 230 })
  }

  @Test(
    "Any name of a file is one line of text",
    .enabled(if: Scope.isFull),
    arguments: ["a\nb\u{1B}[31m", "שלום", "日本語 🎬", String(repeating: "long ", count: 45)]
  )
  func names(_ name: String) async throws {
    try await make("a.mp4", seconds: 2)
    try scratch.copy(scratch("a.mp4"), as: "\(name).mp4")
    let (usual, odd) = (try await record(["a.mp4"]), try await record(["\(name).mp4"]))
    #expect(odd.status == "sheet" && odd.width == usual.width)
    let files = try scratch.names().filter { $0.hasSuffix(".sheet.png") }
    #expect(files.count == 2)
    let sizes = try await files.asyncMap { try await pixels($0).height }
    #expect(Set(sizes).count == 1)
  }

  // MARK: - Choice of frames

  @Test("Frames at times are exact, and those at intervals are as many as the clip has", .enabled(if: Scope.isFull))
  func choice() async throws {
    try await make("a.mp4")
    let exact = try await record(["--at", "0:05,50%,1.3,11.95,99", "a.mp4"])
    #expect(exact.tiles?.times == [1.3, 5, 6, 11.9])
    #expect(exact.warnings == ["the clip ends before 99 s; used the last frame"])
    #expect(try await record(["--interval", "5s", "a.mp4"]).tiles?.times == [0, 5, 10])
    #expect(try await record(["--interval", "0.5", "--exact", "a.mp4"]).tiles?.times.count == 24)
    let refused = try await sheet(["--interval", "0.1", "--json", "a.mp4"])
    #expect(refused.exitStatus == 0, "120 frames are allowed")
  }

  @Test("More frames than a sheet may have are refused with the bound", .enabled(if: Scope.isFull))
  func tooMany() async throws {
    try await make("a.mp4", seconds: 41, ["-r", "2"])
    let result = try await sheet(["--interval", "0.1", "a.mp4"])
    #expect(result.exitStatus == 1 && result.text == "")
    #expect(
      result.errorOutput
        == "a.mp4: the contact sheet would have 420 tiles; the limit is 400; choose a longer interval\n"
    )
    let pixels = try await sheet(["--interval", "0.11", "--columns", "1", "--size", "50", "a.mp4"])
    #expect(pixels.exitStatus == 0, "\(pixels.errorOutput)")
    let high = try await sheet(["--interval", "0.11", "--columns", "1", "a.mp4"])
    #expect(
      high.errorOutput
        == "a.mp4: the contact sheet would have 168×35184 pixels; the limits are 16383 for a side and 50000000 for all; "
        + "choose a smaller --size, fewer frames or more --columns\n"
    )
  }

  @Test("Frames of one pixel make a sheet", .enabled(if: Scope.isFull))
  func tiny() async throws {
    try await make("a.mp4")
    let record = try await record(["--size", "1", "--grid", "20x20", "a.mp4"])
    #expect(record.status == "sheet" && record.tiles?.width == 1 && record.tiles?.times.count == 120)
    // A time that does not fit is not drawn.
    let small = ["--size", "20", "--no-header", "a.mp4"]
    _ = try await sheet(["-o", "plain.png", "--no-timestamps"] + small)
    _ = try await sheet(["-o", "timed.png"] + small)
    #expect(try await pixels("plain.png").bytes == pixels("timed.png").bytes)
  }

  @Test(
    "A clip with few or damaged frames, or of unknown duration, has a sheet",
    .enabled(if: Scope.isFull),
    arguments: [
      ("single-frame.mp4", 1, nil), ("elementary.h264", 10, nil), ("size-change.ts", 12, "damagedTiles"),
      ("rotated-90.mp4", 12, nil), ("palette.gif", 3, nil), ("sound-longer.mp4", 10, nil),
    ] as [(String, Int, String?)]
  )
  func unusual(_ name: String, _ count: Int, _ reason: String?) async throws {
    try scratch.copy(ProjectFolder.fixture(name), as: name)
    let record = try await record([name])
    #expect(record.tiles?.times.count == count && record.reason == reason)
    #expect(record.status == (reason == nil ? "sheet" : "degraded"))
    if name == "rotated-90.mp4" { #expect(record.tiles?.width == 120 && record.tiles?.height == 160) }
  }

  @Test("A file without video is an error, and other clips have their sheets")
  func failures() async throws {
    try await make("a.mp4")
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "s.m4a")
    let result = try await sheet(["s.m4a", "a.mp4", "missing.mp4"])
    #expect(result.exitStatus == 1 && result.text == "a.mp4 → a.mp4.sheet.png  654×316  12 frames\n")
    #expect(result.errorOutput.contains("s.m4a: no video stream") && result.errorOutput.contains("missing.mp4: "))
  }

  // MARK: - Files

  @Test("It is not a clip, and the message calls it what it is", .enabled(if: Scope.isFull))
  func ofSheet() async throws {
    try await make("a.mp4")
    _ = try await sheet(["a.mp4"])
    let result = try await Program.run("clipcanvas", ["cover", "a.mp4.sheet.png"], in: scratch.path)
    #expect(result.exitStatus == 1 && result.errorOutput.contains("already a contact sheet made by clipcanvas"))
  }

  @Test("A sheet that is up to date is kept, whatever the format", .enabled(if: Scope.isFull))
  func fresh() async throws {
    try await make("a.mp4")
    for name in ["a.png", "a.jpg", "a.webp"] {
      let first = try await sheet(["-o", name, "a.mp4"])
      #expect(first.text.hasPrefix("a.mp4 → \(name)  ") && first.text.hasSuffix("  12 frames\n"))
      let second = try await sheet(["-o", name, "a.mp4"])
      #expect(second.text == first.text.dropLast() + "  fresh\n")
      #expect(try await sheet(["-o", name, "--theme", "dark", "a.mp4"]).text == first.text)
      #expect(try await sheet(["-o", name, "--force", "--theme", "dark", "a.mp4"]).text == first.text)
    }
    let type = try await Program.runTool("file", ["-b", "--mime-type", "a.png", "a.jpg", "a.webp"], in: scratch.path)
    #expect(type.text == "image/png\nimage/jpeg\nimage/webp\n")
  }

  @Test("It does not replace a file of somebody else, nor the cover of its clip")
  func foreign() async throws {
    try await make("a.mp4")
    try ScratchFolder.write("mine".utf8, to: scratch("a.mp4.sheet.png"))
    let result = try await sheet(["a.mp4"])
    #expect(result.exitStatus == 1 && result.errorOutput.contains("--force"))
    #expect(try ScratchFolder.read(scratch("a.mp4.sheet.png")) == Array("mine".utf8))
    _ = try await Program.run("clipcanvas", ["cover", "a.mp4"], in: scratch.path)
    #expect(try await sheet(["--force", "a.mp4"]).exitStatus == 0)
    #expect(try await Program.run("clipcanvas", ["cover", "a.mp4"], in: scratch.path).text.hasSuffix("fresh\n"))
  }

  @Test("It can be written to a folder and to standard output")
  func outputs() async throws {
    try await make("a.mp4")
    try await make("b.mp4")
    #expect(try await sheet(["-o", "out/", "a.mp4", "b.mp4"]).exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("out")) == ["a.mp4.sheet.png", "b.mp4.sheet.png"])
    let result = try await sheet(["-o", "-", "a.mp4"])
    #expect(result.output == (try ScratchFolder.read(scratch("out/a.mp4.sheet.png"))))
  }

  // MARK: - Fonts

  @Test("Without a font, the message names a package; a sheet without text needs none")
  func fonts() async throws {
    try await make("a.mp4")
    let none = ProjectFolder.top.appending("Tests/PictureDrawingTests/Text/Configurations/empty.conf").string
    let result = try await sheet(["a.mp4"], environment: ["FONTCONFIG_FILE": none])
    #expect(result.exitStatus == 2 && result.text == "")
    #expect(
      result.errorOutput
        == "clipcanvas: a contact sheet cannot be drawn: no font is installed; install one, such as Debian's package "
        + "fonts-dejavu-core\n"
    )
    let bare = try await sheet(["--no-header", "--no-timestamps", "a.mp4"], environment: ["FONTCONFIG_FILE": none])
    #expect(bare.exitStatus == 0)
  }

  @Test("A program that draws nothing, or is missing, is an error", .enabled(if: Scope.isFull))
  func artist() async throws {
    try await make("a.mp4")
    try ScratchFolder.write("#!/bin/sh\nkill -9 $$\n".utf8, to: scratch("killed"))
    try ScratchFolder.write("#!/bin/sh\nexit 3\n".utf8, to: scratch("silent"))
    let noisy = "#!/bin/sh\necho 'Fontconfig warning' >&2\necho 'clipcanvas: out of ink' >&2\nexit 2\n"
    try ScratchFolder.write(noisy.utf8, to: scratch("noisy"))
    for name in ["killed", "silent", "noisy"] { chmod(scratch(name).string, 0o755) }
    let killed = try await sheet(["a.mp4"], environment: ["CLIPCANVAS_VIEW": scratch("killed").string])
    #expect(killed.exitStatus == 1 && killed.errorOutput.contains("was killed by signal 9"))
    let silent = try await sheet(["a.mp4"], environment: ["CLIPCANVAS_VIEW": scratch("silent").string])
    #expect(silent.exitStatus == 2 && silent.errorOutput == "clipcanvas: no contact sheet could be drawn\n")
    let noisyResult = try await sheet(["a.mp4"], environment: ["CLIPCANVAS_VIEW": scratch("noisy").string])
    #expect(noisyResult.exitStatus == 2 && noisyResult.errorOutput == "clipcanvas: out of ink\n")
    let missing = try await sheet(["a.mp4"], environment: ["CLIPCANVAS_VIEW": scratch("none").string])
    #expect(missing.exitStatus == 2 && missing.errorOutput.contains("CLIPCANVAS_VIEW"))
    #expect(try scratch.names() == ["a.mp4", "killed", "noisy", "silent"])
  }

  // MARK: - Usage

  @Test(
    "Options that contradict each other are refused",
    .enabled(if: Scope.isFull),
    arguments: [
      (["--grid", "4x3", "--interval", "5s"], "both decide how many frames there are"),
      (["--at", "5s", "--interval", "5s"], "both decide how many frames there are"),
      (["--grid", "4x3", "--columns", "2"], "'--grid' already sets the number of columns"),
      (["--grid", "21x1"], "columns and rows such as 10x10"), (["--columns", "0"], "from 1 to 20"),
      (["--at", "best"], "is not a time for a contact sheet"),
      (["--at", "key:5"], "is not a time for a contact sheet"),
      (["--quality", "50"], "applies to JPEG and WebP only"), (["--theme", "pink"], "light"),
    ]
  )
  func usage(_ options: [String], _ message: String) async throws {
    let result = try await sheet(options + ["a.mp4"])
    #expect(result.exitStatus == 64 && result.errorOutput.contains(message), "\(result.errorOutput)")
  }
}

extension Array {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
