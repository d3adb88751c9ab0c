import Covers
import TestSupport
import Testing

@Suite("Size limits")
struct SizeLimitTests {
  @Test(
    "A limit is written as two sides, or as one for both",
    arguments: [
      ("320x240", 320, 240),
      ("320", 320, 320),
      ("1x1", 1, 1),
      ("1", 1, 1),
      ("32767x32767", 32_767, 32_767),
      ("32767", 32_767, 32_767),
      ("0320x0240", 320, 240),
    ]
  )
  func parsing(text: String, width: Int, height: Int) throws {
    let limit = try #require(SizeLimit(text))
    #expect(limit.width == width)
    #expect(limit.height == height)
  }

  @Test(
    "Text that is not a size is rejected",
    arguments: [
      "", "x", "320x", "x240", "320x240x1", "320xx240", "0", "0x240", "320x0", "32768", "1x32768", "-1", "-320x240",
      "+320", "320x+240", " 320", "320 ", "320 x 240", "320X240", "320×240", "3.5", "1e3", "0x10x", "٣٢٠", "３２０", "½",
      "99999999999999999999", "320x99999999999999999999", "320,240", "320x240\n", "first",
    ]
  )
  func parsingNonsense(text: String) {
    #expect(SizeLimit(text) == nil)
  }

  @Test("A side outside the valid range is rejected", arguments: [0, -1, 32_768, .max, .min])
  func sidesOutOfRange(side: Int) {
    #expect(SizeLimit(width: side, height: 1) == nil)
    #expect(SizeLimit(width: 1, height: side) == nil)
  }

  @Test("Parsing the description returns the same limit", arguments: [(320, 240), (1, 32_767), (7, 7)])
  func description(width: Int, height: Int) throws {
    let limit = try #require(SizeLimit(width: width, height: height))
    #expect(limit.description == "\(width)x\(height)")
    #expect(SizeLimit(limit.description) == limit)
  }

  @Test("By default, only the largest possible side is a limit")
  func noLimit() {
    #expect(SizeLimit.none.description == "32767x32767")
    #expect(SizeLimit.none == SizeLimit("32767"))
  }

  @Test(
    "Sizes are scaled as computed by hand",
    arguments: [
      // Limit, size, cover size.
      ((320, 320), (1920, 1080), (320, 180)),
      ((320, 320), (1080, 1920), (180, 320)),
      ((320, 100), (1920, 1080), (178, 100)),  // 177.8
      ((100, 320), (1920, 1080), (100, 56)),  // 56.25
      ((100, 100), (640, 480), (100, 75)),
      ((2, 2), (4, 3), (2, 2)),  // 1.5; halves are rounded up
      ((2, 2), (3, 2), (2, 1)),  // 1.33
      ((4, 4), (5, 3), (4, 2)),  // 2.4
      ((4, 4), (7, 5), (4, 3)),  // 2.86
      ((10, 10), (1, 1000), (1, 10)),  // 0.01; a side is at least 1
      ((10, 10), (1000, 1), (10, 1)),
      ((1, 1), (1920, 1080), (1, 1)),
      ((1, 32_767), (1920, 1080), (1, 1)),  // 0.56
      ((32_767, 32_767), (65_534, 3), (32_767, 2)),  // 1.5
      ((32_767, 32_767), (1, 32_768), (1, 32_767)),
      ((32_767, 32_767), (2_147_483_647, 2_147_483_647), (32_767, 32_767)),
      ((32_767, 1), (2_147_483_647, 2_147_483_647), (1, 1)),
      ((320, 240), (641, 481), (320, 240)),  // 319.8 × 240
    ]
  )
  func scaling(limit: (Int, Int), size: (Int, Int), cover: (Int, Int)) throws {
    let limit = try #require(SizeLimit(width: limit.0, height: limit.1))
    let fitted = limit.fitting(PixelSize(width: size.0, height: size.1))
    #expect(fitted == PixelSize(width: cover.0, height: cover.1))
  }

  @Test(
    "A cover is never enlarged",
    arguments: [(1, 1), (320, 240), (319, 240), (320, 1), (1, 240), (7, 5)]
  )
  func neverEnlarged(width: Int, height: Int) throws {
    let limit = try #require(SizeLimit(width: 320, height: 240))
    let size = PixelSize(width: width, height: height)
    #expect(limit.fitting(size) == size)
  }

  @Test("Any size fits any box, keeps its shape within half a pixel and touches a side of the box")
  func anySize() throws {
    var numbers = SeededNumbers(seed: 1)
    for _ in 0..<20_000 {
      let limit = try #require(
        SizeLimit(width: numbers.number(upTo: 32_767), height: numbers.number(upTo: 32_767))
      )
      let size = PixelSize(width: numbers.number(upTo: 1 << 31), height: numbers.number(upTo: 1 << 31))
      let cover = limit.fitting(size)
      let (fitsIn, notLarger) = (
        cover.width <= limit.width && cover.height <= limit.height,
        cover.width <= size.width && cover.height <= size.height
      )
      let factor = min(
        1,
        Double(limit.width) / Double(size.width),
        Double(limit.height) / Double(size.height)
      )
      let ideal = (width: Double(size.width) * factor, height: Double(size.height) * factor)
      let halfPixel = 0.5 + 1e-9
      let keepsShape =
        abs(max(1, ideal.width) - Double(cover.width)) <= halfPixel
        && abs(max(1, ideal.height) - Double(cover.height)) <= halfPixel
      let touches = cover == size || cover.width == limit.width || cover.height == limit.height
      let failed = !fitsIn || !notLarger || !keepsShape || !touches || cover.width < 1 || cover.height < 1
      if failed || limit.fitting(cover) != cover {
        Issue.record("\(size.width)x\(size.height) in \(limit) became \(cover.width)x\(cover.height)")
      }
    }
  }
}
