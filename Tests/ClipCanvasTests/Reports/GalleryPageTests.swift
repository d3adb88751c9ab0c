import ClipCanvasCommands
import ClipService
import Covers
import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Gallery page")
struct GalleryPageTests {
  private let scratch: ScratchFolder
  private let page: FilePath

  init() throws {
    scratch = try ScratchFolder()
    page = scratch("gallery.html")
  }

  /// File names that could break links, markup or scripts, or mislead people.
  private static let names: [[UInt8]] =
    OddNames.all
    + [
      "<script>alert(1)</script>.mp4", "</title></style></script><b>.mp4", "\"><img src=x onerror=alert(1)>.mp4",
      "'quoted' & \"quoted\" &amp; &lt;.mp4", "a#b?c%d%20e;f=g&h.mp4", "%2e%2e.mp4", "javascript:alert(1)",
      "http:", "a\\b.mp4", " spaces at both ends ", "...", "tab\t\r.mp4", "\u{202E}4pm.exe", "-->.mp4", "]]>.mp4",
    ].map { Array($0.utf8) }

  // MARK: - Links

  @Test(
    "Every link resolves to the exact bytes of its file's path, for all places of gallery, clips and covers",
    .enabled(if: Scope.isFull),
    arguments: [
      ("", "", ""), ("pages", "clips", "covers"), ("a/b", "a/b/c", "a"), ("a b/#1?", "50%/ü", "<&>/\"'"),
      ("x", "", "x"),
    ] as [(String, String, String)]
  )
  func links(pageFolder: String, clipFolder: String, coverFolder: String) async throws {
    let folders = [pageFolder, clipFolder, coverFolder].map { scratch.path.appending($0) }
    for folder in folders { try Folder.make(at: folder) }
    let page = folders[0].appending("all covers.html")
    let clips = Self.names.map { folders[1].bytesAppending($0) }
    let covers = Self.names.map { folders[2].bytesAppending($0 + Array(".png".utf8)) }
    var gallery = try GalleryPage(replacing: page)
    for (clip, cover) in zip(clips, covers) {
      gallery.add(.init(clip: clip, cover: cover, status: .cover))
    }
    try gallery.finish()

    let read = try await GalleryOracle(of: page)
    #expect(read.cards.map(\.clip) == clips.map(\.plainBytes))
    #expect(read.cards.map(\.cover) == covers.map(\.plainBytes))
  }

  @Test("Relative paths, including the gallery's own, are relative to the working folder")
  func relative() async throws {
    let absolute = try Self.page(clip: FilePath.currentFolder.appending("clips/a.mp4"), at: page)
    #expect(try Self.page(clip: "clips/../clips/./a.mp4", at: page) == absolute)
    await #expect(processExitsWith: .success) { [folder = scratch.path.string as String] in
      try #require(chdir(folder) == 0)
      let relative = try Self.page(clip: "a.mp4", at: "gallery.html")
      #expect(String(decoding: relative, as: UTF8.self).contains("<a href=\"a.mp4\">"))
    }
  }

  private static func page(clip: FilePath, at page: FilePath) throws -> [UInt8] {
    var gallery = try GalleryPage(replacing: page)
    var entry = GalleryPage.Entry(clip: clip, cover: clip, status: .cover)
    entry.shownPath = "a.mp4"
    gallery.add(entry)
    try gallery.finish()
    return try ScratchFolder.read(page)
  }

  // MARK: - Content

  @Test("A name is shown as text, never as markup, and as the other commands show it", .enabled(if: Scope.isFull))
  func names() async throws {
    var gallery = try GalleryPage(replacing: page, title: "</title><script>alert(1)</script>")
    for name in Self.names {
      let clip = scratch.path.bytesAppending(name)
      var entry = GalleryPage.Entry(clip: clip, cover: clip, status: .cover)
      entry.shownPath = FilePath("below").bytesAppending(name)
      gallery.add(entry)
      (entry.cover, entry.status, entry.reason, entry.cause) = (nil, .failed, "<i>\u{1B}</i>", .damaged)
      gallery.add(entry)
    }
    try gallery.finish(remark: "</header><script>alert(1)</script>")

    let read = try await GalleryOracle(of: page)
    let shown = Self.names.map { "below/" + DisplayText.of($0) }
    #expect(read.cards.map(\.path) == shown + shown)
    #expect(Set(read.cards.compactMap(\.reason)) == ["<i>\\x1b</i>"])
    #expect(read.title == "</title><script>alert(1)</script>")
    #expect(read.header.contains("</header><script>alert(1)</script>"))
    #expect(
      read.elements == [
        "a", "bdi", "body", "button", "details", "dialog", "div", "footer", "form", "h1", "h2", "h3", "head", "header",
        "html", "img", "input", "kbd", "label", "li", "main", "meta", "option", "output", "p", "script", "select",
        "span", "style", "summary", "title", "ul", "video",
      ]
    )
  }

  @Test("A card shows the facts of its clip, and its picture has a size before it is loaded")
  func facts() async throws {
    let time = 1_795_391_999
    let date = try await Program.runTool("date", ["--date=@\(time)", "+%Y-%m-%d"]).text.split(separator: "\n").joined()
    let facts: [(Double?, Int?, Int?, Double?, [String])] = [
      (0.04, 999, time, 25, ["0.04 s", "1920×1080", "h264", "25 fps", date, "999 B"]),
      (59.94, 1000, nil, 29.97002997, ["59.9 s", "1920×1080", "h264", "29.97 fps", "1.0 kB"]),
      (59.96, 999_949, nil, 12.5, ["1:00", "1920×1080", "h264", "12.5 fps", "999.9 kB"]),
      (3599.6, 999_950, nil, nil, ["1:00:00", "1920×1080", "h264", "1.0 MB"]),
      (3_723, .max, nil, nil, ["1:02:03", "1920×1080", "h264", "9.2 EB"]), (nil, nil, nil, nil, ["1920×1080", "h264"]),
      (.nan, 0, nil, nil, ["1920×1080", "h264", "0 B"]), (.infinity, nil, nil, nil, ["1920×1080", "h264"]),
      (-1, nil, nil, nil, ["1920×1080", "h264"]), (1e300, nil, .max, nil, ["1920×1080", "h264"]),
    ]
    let entries = facts.map { seconds, bytes, time, rate, _ in
      var entry = GalleryPage.Entry(clip: "a.mp4", cover: "a.png", status: .cover)
      entry.coverSize = PixelSize(width: 320, height: 180)
      entry.facts.storedSize = PixelSize(width: 1920, height: 1080)
      (entry.facts.codec, entry.facts.frameRate) = ("h264", rate)
      (entry.facts.durationSeconds, entry.facts.bytes, entry.facts.modificationTime) = (seconds, bytes, time)
      return entry
    }
    var gallery = try GalleryPage(replacing: page)
    for entry in entries { gallery.add(entry) }
    try gallery.finish()
    let read = try await GalleryOracle(of: page)
    #expect(read.cards.map(\.facts) == facts.map(\.4))
    for picture in read.cards.map(\.picture) {
      #expect(picture?["width"] == "320" && picture?["height"] == "180" && picture?["loading"] == "lazy")
      #expect(picture?["decoding"] == "async" && picture?["alt"] == "")
    }
    #expect(read.header.contains("10 clips · "))
  }

  @Test(
    "A clip is sorted by the time of its recording, and grouped by the day of the camera's clock",
    arguments: [
      ("2024-05-01T23:30:00+02:00", "2024-05-01T21:30:00Z", "2024-05-01"),
      ("2024-05-01T00:30:00+02:00", "2024-04-30T22:30:00Z", "2024-05-01"),
      ("2024-05-01T20:30:00.25-08:00", "2024-05-02T04:30:00Z", "2024-05-01"), ("2024-02-29", nil, "2024-02-29"),
      ("2024-05-01T12:30:00", nil, "2024-05-01"), ("2024-05-01T12:30:00Z", "2024-05-01T12:30:00Z", nil),
    ] as [(String, String?, String?)]
  )
  func dates(_ text: String, _ moment: String?, _ day: String?) async throws {
    var entry = GalleryPage.Entry(clip: "a.mp4", cover: "a.png", status: .cover)
    entry.facts.captureDate = CaptureDate(text)
    entry.facts.modificationTime = 0
    var gallery = try GalleryPage(replacing: page)
    gallery.add(entry)
    try gallery.finish()
    let data = try #require(try await GalleryOracle(of: page).cards.first).data
    let words = ["--date=\(moment ?? text)", "+%s %Y-%m-%d"]
    let reference = try await Program.runTool("date", words).text.split(separator: " ")
    #expect(data["time"] == reference.first.map(String.init))
    #expect(data["day"] == day ?? reference.last.map { String($0.prefix(10)) })
  }

  @Test("Clips whose covers are nearly black are marked", arguments: [nil, 0, 23.9, 24, 255])
  func dark(_ luma: Double?) async throws {
    var entry = GalleryPage.Entry(clip: "a.mp4", cover: "a.png", status: .cover)
    entry.facts.meanLuma = luma
    var gallery = try GalleryPage(replacing: page)
    gallery.add(entry)
    try gallery.finish()
    let card = try #require(try await GalleryOracle(of: page).cards.first)
    #expect(card.classes == ["card"] + (luma.map { $0 < 24 } ?? false ? ["dark"] : []))
  }

  @Test("Clips whose covers look alike are named in an attribute of the list, by the numbers of their cards")
  func alike() throws {
    func text(_ hashes: [(UInt64?, variance: Double)]) throws -> String {
      var gallery = try GalleryPage(replacing: page)
      for (number, (bits, variance)) in hashes.enumerated() {
        // A clip without a cover has no card.
        var entry = GalleryPage.Entry(
          clip: FilePath("\(number).mp4"),
          cover: number == 1 ? nil : "a.png",
          status: .cover
        )
        entry.look = bits.map { FrameLook(hash: PerceptualHash(bits: $0), lumaVariance: variance) }
        gallery.add(entry)
      }
      try gallery.finish()
      return String(decoding: try ScratchFolder.read(page), as: UTF8.self)
    }
    let list = #"<ul id="clips" class="tiles" aria-label="Clips"#
    let looks: [(UInt64?, variance: Double)] = [
      (0, 900), (0, 900), (0xFFFF_FFFF, 900), (nil, 0), (0x3F, 900), (0, 1), (0x7FFF_FFFF, 900),
    ]
    #expect(try text(looks).contains(list + #"" data-alike="0 3,1 5">"#))
    #expect(try text([(0, 900), (0, 900), (0x7F, 900), (0, 1), (0, 1)]).contains(list + #"">"#))
  }

  @Test("Animations and storyboards are named in the card, but in no attribute that a browser loads")
  func previews() async throws {
    var entry = GalleryPage.Entry(clip: "a.mp4", cover: "a.png", status: .cover)
    entry.animation = scratch("a b.webp")
    entry.storyboard = GalleryPage.Storyboard(
      folder: scratch("a\"b.storyboard"),
      plan: SheetPlan(columns: 10, rows: 5, interval: 2.5),
      tiles: 61,
      tileSize: PixelSize(width: 320, height: 180)
    )
    var gallery = try GalleryPage(replacing: page)
    gallery.add(entry)
    try gallery.finish()
    let card = try #require(try await GalleryOracle(of: page).cards.first)
    #expect(card.data["animation"] == "a%20b.webp")
    #expect(card.data["storyboard"] == "a%22b.storyboard/ 10 5 61 320 180 2.5")
    let text = String(decoding: try ScratchFolder.read(page), as: UTF8.self)
    #expect(text.ranges(of: "a%20b.webp").count == 1)
  }

  @Test("Clips without a cover are folded below the others, the most frequent causes first", .enabled(if: Scope.isFull))
  func failures() async throws {
    var gallery = try GalleryPage(replacing: page)
    func failed(_ cause: CoverFailure.Cause?, _ reason: String) -> GalleryPage.Entry {
      var entry = GalleryPage.Entry(clip: scratch("a.mp4"), cover: nil, status: .failed)
      (entry.cause, entry.reason) = (cause, reason)
      return entry
    }
    gallery.add(failed(.unsupportedCodec, "one"))
    gallery.add(failed(.noVideoStream, "two"))
    var degraded = GalleryPage.Entry(clip: "a.mp4", cover: "a.png", status: .degraded)
    degraded.reason = "least damaged"
    gallery.add(degraded)
    gallery.add(failed(.noVideoStream, "three"))
    gallery.add(.init(clip: "a.mp4", cover: "a.png", status: .fresh))
    gallery.add(failed(nil, "four"))
    try gallery.finish()

    let read = try await GalleryOracle(of: page)
    #expect(read.cards.map(\.reason) == ["least damaged", nil, "two", "three", "four", "one"])
    #expect(
      read.cards.map(\.cause)
        == [nil, nil, "No video stream", "No video stream", "Other reasons", "Unsupported codec"]
    )
    #expect(read.cards.map(\.classes).prefix(3) == [["card", "degraded"], ["card"], ["row"]])
    #expect(
      read.sections.suffix(4) == ["Without a cover 4", "No video stream 2", "Other reasons 1", "Unsupported codec 1"]
    )
    #expect(read.header.contains("6 clips"))
    let text = String(decoding: try ScratchFolder.read(page), as: UTF8.self)
    #expect(!text.contains("<details open") && !text.contains(" open>"))
  }

  @Test("The page allows no network access, and no script or style but its own", .enabled(if: Scope.isFull))
  func policy() async throws {
    try GalleryPage(replacing: page).finish()
    let read = try await GalleryOracle(of: page)
    #expect(
      read.policy == "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src \(read.digests[0]); "
        + "script-src \(read.digests[1]); base-uri 'none'; form-action 'none'"
    )
    let text = String(decoding: try ScratchFolder.read(page), as: UTF8.self)
    #expect(!text.contains("://") && !text.contains("@import") && !text.contains("url("))
  }

  // MARK: - Older gallery

  @Test("The older gallery stays until the new one is complete", .enabled(if: Scope.isFull))
  func neverFinished() throws {
    try scratch.write("older".utf8, as: "gallery.html")
    do {
      var gallery = try GalleryPage(replacing: page)
      for _ in 0..<5000 { gallery.add(.init(clip: "a.mp4", cover: nil, status: .failed)) }
      #expect(try ScratchFolder.read(page) == Array("older".utf8))
    }
    #expect(try ScratchFolder.read(page) == Array("older".utf8))
    #expect(try scratch.names() == ["gallery.html"])
  }

  @Test(
    "A full disk leaves the older gallery and is reported at the end",
    .enabled(if: Scope.isFull),
    .enabled(if: geteuid() == 0, "mounting takes root")
  )
  func fullDisk() throws {
    let disk = try MemoryFileSystem(scratch("disk"), size: 64 * 1024)
    let page = disk.path.appending("gallery.html")
    try ScratchFolder.write("older".utf8, to: page)
    var added = false
    let error = #expect(throws: FileReplacementError.self) {
      var gallery = try GalleryPage(replacing: page)
      for _ in 0..<5000 { gallery.add(.init(clip: "a.mp4", cover: nil, status: .failed)) }
      added = true
      try gallery.finish()
    }
    #expect(added)
    #expect(error == FileReplacementError(operation: "write", path: page, errno: .noSpace))
    #expect(try ScratchFolder.read(page) == Array("older".utf8))
    #expect(try ScratchFolder.names(in: disk.path) == ["gallery.html"])
  }

  @Test("A missing folder is reported immediately")
  func noFolder() {
    #expect(
      throws: FileReplacementError(operation: "create a file in", path: scratch("no"), errno: .noSuchFileOrDirectory)
    ) {
      _ = try GalleryPage(replacing: scratch("no").appending("gallery.html"))
    }
  }
}

extension FilePath {
  /// The bytes of an absolute path.
  fileprivate var plainBytes: [UInt8] {
    withPlatformString { start in
      (0..<strlen(start)).map { UInt8(bitPattern: start[$0]) }
    }
  }
}
