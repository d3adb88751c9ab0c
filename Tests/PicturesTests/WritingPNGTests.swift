import Glibc
import Pictures
import SystemPackage
import TestSupport
import Testing

@Suite("Writing PNG")
struct WritingPNGTests {
  @Test(
    "Two other programs read exactly the pixels that were written, at every width",
    .enabled(if: Scope.isFull),
    arguments: 1...66
  )
  func pixels(width: Int) async throws {
    let folder = try ScratchFolder()
    for layout in [Picture.Layout.rgb, .rgba] {
      let picture = PictureSamples.picture(width: width, height: 3, layout: layout, padding: width % 5)
      _ = try PictureSamples.png(picture, in: folder)
      for read in [Oracle.pixels(ofPNG:hasAlpha:), Oracle.pixelsByFFmpeg(ofPNG:hasAlpha:)] {
        let decoded = try await read(folder("picture.png"), layout == .rgba)
        #expect(decoded.width == width && decoded.height == 3)
        #expect(decoded.bytes == PictureSamples.bytes(width: width, height: 3, channels: layout.channels))
      }
    }
  }

  @Test("A large incompressible picture is written exactly", .enabled(if: Scope.isFull))
  func largePicture() async throws {
    let folder = try ScratchFolder()
    let picture = PictureSamples.picture(width: 501, height: 300, layout: .rgb)
    let file = try PictureSamples.png(picture, in: folder)
    #expect(file.count > 300_000)
    let decoded = try await Oracle.pixels(ofPNG: folder("picture.png"), hasAlpha: false)
    #expect(decoded.bytes == PictureSamples.bytes(width: 501, height: 300, channels: 3))
  }

  @Test(
    "The file specifies 8 bits, the colour type and sRGB, but no gamma",
    arguments: [(Picture.Layout.rgb, 2), (.rgba, 6)] as [(Picture.Layout, UInt8)]
  )
  func header(layout: Picture.Layout, colourType: UInt8) throws {
    let folder = try ScratchFolder()
    let picture = PictureSamples.picture(width: 258, height: 2, layout: layout)
    let png = try #require(PNGChunks(try PictureSamples.png(picture, in: folder)))
    #expect(png.types == ["IHDR", "sRGB", "IDAT", "IEND"])
    #expect(png.chunks[0].data == [0, 0, 1, 2, 0, 0, 0, 2, 8, colourType, 0, 0, 0])
    #expect(png.chunks[1].data == [0])
  }

  @Test("Texts are written before the pixels, in order")
  func texts() throws {
    let folder = try ScratchFolder()
    let picture = PictureSamples.picture(width: 200, height: 200, layout: .rgb)
    let long = String(repeating: "x", count: 5000)
    let longest = String(repeating: "k", count: 79)
    let texts = [
      (keyword: "Thumb::URI", text: "file:///a%20b.mp4"), (keyword: "Software", text: ""),
      (keyword: "Long", text: long),
      (keyword: longest, text: "1"), (keyword: "Software", text: "again"),
    ]
    let png = try #require(PNGChunks(try PictureSamples.png(picture, texts: texts, in: folder)))
    let written = png.chunks.filter { $0.type == "tEXt" }.map(\.data)
    #expect(written == texts.map { Array($0.keyword.utf8) + [0] + Array($0.text.utf8) })
    let lastText = try #require(png.types.lastIndex(of: "tEXt"))
    let firstPixels = try #require(png.types.firstIndex(of: "IDAT"))
    #expect(lastText < firstPixels)
    #expect(png.types.filter { !["IHDR", "sRGB", "tEXt", "IDAT", "IEND"].contains($0) } == [])
  }

  @Test("Texts do not change the pixels")
  func textsAndPixels() throws {
    let folder = try ScratchFolder()
    let picture = PictureSamples.picture(width: 20, height: 20, layout: .rgba)
    let with = try #require(PNGChunks(try PictureSamples.png(picture, texts: [("Software", "x")], in: folder)))
    let without = try #require(PNGChunks(try PictureSamples.png(picture, in: folder)))
    #expect(
      with.chunks.filter { $0.type == "IDAT" }.map(\.data) == without.chunks.filter { $0.type == "IDAT" }.map(\.data)
    )
  }

  @Test("The same pixels and texts produce the same bytes, whatever the row padding")
  func sameBytes() throws {
    let folder = try ScratchFolder()
    let files = try [0, 0, 1, 64].map { padding in
      let picture = PictureSamples.picture(width: 61, height: 40, layout: .rgb, padding: padding)
      return try PictureSamples.png(picture, texts: [("Software", "x")], in: folder)
    }
    #expect(files.allSatisfy { $0 == files[0] })
  }

  @Test("Writing starts at the file offset, and leaves the file open at the end of the PNG")
  func position() throws {
    let folder = try ScratchFolder()
    let picture = PictureSamples.picture(width: 4, height: 4, layout: .rgb)
    let alone = try PictureSamples.png(picture, in: folder)
    let file = try FileDescriptor.open(
      folder("two"),
      .writeOnly,
      options: [.create, .closeOnExec],
      permissions: .ownerReadWrite
    )
    defer { try? file.close() }
    try file.writeAll([1, 2, 3])
    try picture.writePNG(to: file.rawValue)
    try file.writeAll([4, 5])
    #expect(try ScratchFolder.read(folder("two")) == [1, 2, 3] + alone + [4, 5])
  }

  @Test("A full disk is reported, both in the first bytes and later", .enabled(if: Scope.isFull), arguments: [2, 400])
  func fullDisk(side: Int) throws {
    let full = try FileDescriptor.open("/dev/full", .writeOnly, options: .closeOnExec)
    defer { try? full.close() }
    let picture = PictureSamples.picture(width: side, height: side, layout: .rgba)
    let error = #expect(throws: PNGError.self) { try picture.writePNG(to: full.rawValue) }
    #expect(error?.systemError == 28)  // ENOSPC
    #expect(error?.message == "No space left on device")
  }

  @Test("A disk that fills up during a write is reported")
  func partlyFullDisk() async throws {
    let folder = try ScratchFolder()
    // The limit applies to the whole process, so the test runs in a separate process.
    await #expect(processExitsWith: .success) { [path = folder.path.string as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let file = try FileDescriptor.open(
        FilePath(path).appending("part.png"),
        .writeOnly,
        options: [.create, .closeOnExec],
        permissions: .ownerReadWrite
      )
      let picture = PictureSamples.picture(width: 80, height: 80, layout: .rgb)
      let error = #expect(throws: PNGError.self) { try picture.writePNG(to: file.rawValue) }
      #expect(error?.systemError == EFBIG)
    }
    #expect(try ScratchFolder.read(folder("part.png")).count == 1000)
  }

  @Test("A file that cannot be written to is reported")
  func readOnly() throws {
    let null = try FileDescriptor.open("/dev/null", .readOnly, options: .closeOnExec)
    defer { try? null.close() }
    let picture = Picture(width: 1, height: 1, layout: .rgb)
    let error = #expect(throws: PNGError.self) { try picture.writePNG(to: null.rawValue) }
    #expect(error?.systemError == 9)  // EBADF
  }

  @Test("A text without a keyword is rejected without a system error")
  func emptyKeyword() throws {
    let folder = try ScratchFolder()
    let picture = Picture(width: 1, height: 1, layout: .rgb)
    let error = #expect(throws: PNGError.self) { try PictureSamples.png(picture, texts: [("", "x")], in: folder) }
    #expect(error?.systemError == 0)
    #expect(error?.message.isEmpty == false)
  }
}
