import ClipCanvasCommands
import CoverService
import Covers
import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Cover sheet")
struct GalleryPageTests {
  private let scratch: ScratchFolder
  private let page: FilePath

  init() throws {
    scratch = try ScratchFolder()
    page = scratch("sheet.html")
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
    "Every link resolves to the exact bytes of its file's path, wherever sheet, clips and covers are",
    arguments: [
      ("", "", ""), ("sheets", "clips", "covers"), ("a/b", "a/b/c", "a"), ("a b/#1?", "50%/ü", "<&>/\"'"),
      ("x", "", "x"),
    ] as [(String, String, String)]
  )
  func links(sheetFolder: String, clipFolder: String, coverFolder: String) async throws {
    let folders = [sheetFolder, clipFolder, coverFolder].map { scratch.path.appending($0) }
    for folder in folders { try Folder.make(at: folder) }
    let page = folders[0].appending("all covers.html")
    let clips = Self.names.map { folders[1].bytesAppending($0) }
    let covers = Self.names.map { folders[2].bytesAppending($0 + Array(".png".utf8)) }
    var sheet = try GalleryPage(replacing: page)
    for (clip, cover) in zip(clips, covers) {
      sheet.add(.init(clip: clip, cover: cover, status: .cover, coverSize: PixelSize(width: 32, height: 18)))
    }
    try sheet.finish(BatchSummary())

    let read = try await GalleryOracle(of: page)
    #expect(read.cards.map(\.clip) == clips.map(\.plainBytes))
    #expect(read.cards.map(\.cover) == covers.map(\.plainBytes))
  }

  @Test("Relative paths, including the sheet's own, are relative to the working folder")
  func relative() async throws {
    let absolute = try Self.page(clip: FilePath.currentFolder.appending("clips/a.mp4"), at: page)
    #expect(try Self.page(clip: "clips/../clips/./a.mp4", at: page) == absolute)
    await #expect(processExitsWith: .success) { [folder = scratch.path.string as String] in
      try #require(chdir(folder) == 0)
      let relative = try Self.page(clip: "a.mp4", at: "sheet.html")
      #expect(String(decoding: relative, as: UTF8.self).contains("<a href=\"a.mp4\">"))
    }
  }

  private static func page(clip: FilePath, at page: FilePath) throws -> [UInt8] {
    var sheet = try GalleryPage(replacing: page)
    sheet.add(.init(clip: clip, shownPath: "a.mp4", cover: clip, status: .cover))
    try sheet.finish(BatchSummary())
    return try ScratchFolder.read(page)
  }

  // MARK: - Content

  @Test("A name is shown as text, never as markup, and as the other commands show it")
  func names() async throws {
    var sheet = try GalleryPage(replacing: page, title: "</title><script>alert(1)</script>")
    for name in Self.names {
      let clip = scratch.path.bytesAppending(name)
      let shown = FilePath("below").bytesAppending(name)
      sheet.add(.init(clip: clip, shownPath: shown, cover: clip, status: .cover))
      sheet.add(.init(clip: clip, shownPath: shown, cover: nil, status: .failed, failure: "<i>\u{1B}</i>"))
    }
    try sheet.finish(BatchSummary(), remark: "</header><script>alert(1)</script>")

    let read = try await GalleryOracle(of: page)
    let shown = Self.names.map { "below/" + DisplayText.of($0) }
    #expect(read.cards.map(\.path) == shown.flatMap { [$0, $0] })
    // A name with a slash is a path.
    let last = Self.names.map { DisplayText.of($0.split(separator: UInt8(ascii: "/")).last ?? []) }
    #expect(read.cards.compactMap(\.picture).map { $0["alt"] } == last.map { "Cover of " + $0 })
    #expect(Set(read.cards.compactMap(\.reason)) == ["<i>\\x1b</i>"])
    #expect(read.title == "</title><script>alert(1)</script>")
    #expect(read.header.contains("</header><script>alert(1)</script>"))
    #expect(
      read.elements == [
        "a", "bdi", "body", "div", "fieldset", "form", "h1", "head", "header", "html", "img", "input", "label",
        "legend",
        "li", "main", "meta", "option", "output", "p", "script", "select", "span", "strong", "style", "title", "ul",
      ]
    )
  }

  @Test("A card shows the facts of its clip, and its picture has a size before it is loaded")
  func facts() async throws {
    let facts: [(Double?, Int?, [String])] = [
      (0.04, 999, ["0.04 s", "320×180", "999 B", "made"]), (59.94, 1000, ["59.9 s", "320×180", "1.0 kB", "made"]),
      (59.96, 999_949, ["1:00", "320×180", "999.9 kB", "made"]),
      (3599.6, 999_950, ["1:00:00", "320×180", "1.0 MB", "made"]),
      (3_723, .max, ["1:02:03", "320×180", "9.2 EB", "made"]), (nil, nil, ["320×180", "made"]),
      (.nan, 0, ["320×180", "0 B", "made"]), (.infinity, nil, ["320×180", "made"]), (-1, nil, ["320×180", "made"]),
      (1e300, nil, ["320×180", "made"]),
    ]
    var sheet = try GalleryPage(replacing: page)
    for (seconds, bytes, _) in facts {
      sheet.add(
        .init(
          clip: "a.mp4",
          cover: "a.png",
          status: .cover,
          coverSize: PixelSize(width: 320, height: 180),
          durationSeconds: seconds,
          clipBytes: bytes
        )
      )
    }
    try sheet.finish(BatchSummary())
    let read = try await GalleryOracle(of: page)
    #expect(read.cards.map(\.facts) == facts.map(\.2))
    for picture in read.cards.map(\.picture) {
      #expect(picture?["width"] == "320" && picture?["height"] == "180" && picture?["loading"] == "lazy")
    }
  }

  @Test("A clip without a cover is marked with the reason and shows its older cover")
  func failures() async throws {
    var sheet = try GalleryPage(replacing: page)
    let clip = scratch("a.mp4")
    sheet.add(.init(clip: clip, cover: nil, status: .failed, failure: "no video stream"))
    sheet.add(.init(clip: clip, cover: nil, status: .incomplete, failure: "still being recorded"))
    sheet.add(.init(clip: clip, cover: "a.png", status: .failed, failure: "damaged now"))
    sheet.add(.init(clip: clip, cover: "a.png", status: .degraded, failure: "corruptFrame"))
    sheet.add(.init(clip: clip, cover: "a.png", status: .fresh))
    var summary = BatchSummary()
    (summary.failed, summary.incomplete, summary.degraded, summary.fresh) = (2, 1, 1, 1)
    try sheet.finish(summary)

    let read = try await GalleryOracle(of: page)
    #expect(read.cards.map { $0.classes.last } == ["failed", "incomplete", "failed", "degraded", "fresh"])
    #expect(read.cards.map { $0.cover != nil } == [false, false, true, true, true])
    #expect(
      read.cards.map(\.reason)
        == ["no video stream", "still being recorded", "damaged now", "corruptFrame", nil]
    )
    #expect(read.header.contains("5 clips: 1 fresh, 1 degraded, 1 incomplete, 2 failed"))
    let text = String(decoding: try ScratchFolder.read(page), as: UTF8.self)
    #expect(
      text.split(separator: "<strong class=\"badge\">").dropFirst().map { $0.prefix { $0 != "<" } } == [
        "failed", "incomplete", "failed", "degraded",
      ]
    )
  }

  @Test("The page allows no network access, and no script or style but its own")
  func policy() async throws {
    try GalleryPage(replacing: page).finish(BatchSummary())
    let read = try await GalleryOracle(of: page)
    #expect(read.isLetIn == [true, true], "the digests of style and script are to be made anew")
    #expect(read.policy.hasPrefix("default-src 'none'; img-src 'self' file:; "))
    #expect(!read.policy.contains("unsafe") && !read.policy.contains("http"))
    let text = String(decoding: try ScratchFolder.read(page), as: UTF8.self)
    #expect(!text.contains("://") && !text.contains("@import") && !text.contains("url("))
  }

  // MARK: - Older sheet

  @Test("The older sheet stays until the new one is complete")
  func neverFinished() throws {
    try scratch.write("older".utf8, as: "sheet.html")
    do {
      var sheet = try GalleryPage(replacing: page)
      for _ in 0..<5000 { sheet.add(.init(clip: "a.mp4", cover: nil, status: .failed, failure: "why")) }
      #expect(try ScratchFolder.read(page) == Array("older".utf8))
    }
    #expect(try ScratchFolder.read(page) == Array("older".utf8))
    #expect(try scratch.names() == ["sheet.html"])
  }

  @Test(
    "A full disk leaves the older sheet and is reported at the end",
    .enabled(if: geteuid() == 0, "mounting takes root")
  )
  func fullDisk() throws {
    let disk = try OutputFileSystemTests.Mount(scratch("disk"), size: 64 * 1024)
    let page = disk.path.appending("sheet.html")
    try ScratchFolder.write("older".utf8, to: page)
    var added = false
    let error = #expect(throws: FileReplacementError.self) {
      var sheet = try GalleryPage(replacing: page)
      for _ in 0..<5000 { sheet.add(.init(clip: "a.mp4", cover: nil, status: .failed, failure: "why")) }
      added = true
      try sheet.finish(BatchSummary())
    }
    #expect(added)
    #expect(error == FileReplacementError(operation: "write", path: page, errno: .noSpace))
    #expect(try ScratchFolder.read(page) == Array("older".utf8))
    #expect(try ScratchFolder.names(in: disk.path) == ["sheet.html"])
  }

  @Test("A missing folder is reported immediately")
  func noFolder() {
    #expect(
      throws: FileReplacementError(operation: "create a file in", path: scratch("no"), errno: .noSuchFileOrDirectory)
    ) {
      _ = try GalleryPage(replacing: scratch("no").appending("sheet.html"))
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
