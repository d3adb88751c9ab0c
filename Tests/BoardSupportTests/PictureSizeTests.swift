import BoardSupport
import Testing

@Suite("Size of a board's picture")
struct PictureSizeTests {
  @Test(
    "A size is width x height in pixels",
    arguments: [
      ("1280x720", 1280, 720), ("16x16", 16, 16), ("16384x4096", 16_384, 4096), ("16x16384", 16, 16_384),
      ("0640x0360", 640, 360),
    ]
  )
  func valid(text: String, width: Int, height: Int) throws {
    let size = try #require(PictureSize(text))
    #expect(size.width == width && size.height == height)
    #expect(size.description == "\(width)x\(height)")
  }

  @Test(
    "Anything else is not a size",
    arguments: [
      "", "x", "640", "640x", "x360", "640x360x", "640x360x1", "640X360", "640 x 360", " 640x360", "640x360 ",
      "-640x360",
      "+640x360", "640.0x360", "0x280x360", "٦٤٠x٣٦٠", "６４０x３６０", "99999999999999999999x16",
      // One less or more than a side can have, and one row more than 64 Mi pixels.
      "15x16", "16x15", "16385x16", "16x16385", "16384x4097",
    ]
  )
  func invalid(text: String) {
    #expect(PictureSize(text) == nil)
  }

  @Test("The default size is 1280x720")
  func usual() {
    #expect(PictureSize.usual == PictureSize("1280x720"))
  }
}
