import Covers
import Testing

@Suite("Full size of a cover")
struct CoverGeometryTests {
  private static let quarterTurn = Orientation(transposes: true, mirrorsX: true)

  @Test("With square pixels, the size is that of the stored frame", arguments: [(1920, 1080), (1, 1), (7, 32_767)])
  func square(width: Int, height: Int) {
    let stored = PixelSize(width: width, height: height)
    for aspect in [nil, Rational(1, over: 1), Rational(5, over: 5)] {
      let size = CoverGeometry.uprightSize(stored: stored, sampleAspectRatio: aspect, orientation: .upright)
      #expect(size == stored)
    }
  }

  @Test(
    "For pixels that are not square, the width is stretched and rounded to nearest",
    arguments: [
      // Stored size, sample aspect ratio, cover size.
      ((1440, 1080), (4, 3), (1920, 1080)),
      ((720, 576), (16, 15), (768, 576)),
      ((720, 576), (64, 45), (1024, 576)),
      ((720, 480), (8, 9), (640, 480)),
      ((720, 480), (32, 27), (853, 480)),  // 853.3
      ((101, 50), (199, 100), (201, 50)),  // 200.99
      ((1598, 1158), (20_000, 20_003), (1598, 1158)),  // 1597.76, as a phone records it
      ((3, 50), (1, 2), (2, 50)),  // 1.5; halves are rounded up
      ((1, 50), (1, 2), (1, 50)),  // 0.5; a side is at least 1
      ((640, 480), (1, 1_000_000), (1, 480)),
    ]
  )
  func stretched(stored: (Int, Int), aspect: (Int, Int), cover: (Int, Int)) {
    let size = CoverGeometry.uprightSize(
      stored: PixelSize(width: stored.0, height: stored.1),
      sampleAspectRatio: Rational(aspect.0, over: aspect.1),
      orientation: .upright
    )
    #expect(size == PixelSize(width: cover.0, height: cover.1))
  }

  @Test(
    "A quarter turn swaps the sides and inverts the aspect ratio",
    arguments: [
      ((1920, 1080), (1, 1), (1080, 1920)),
      ((1440, 1080), (4, 3), (810, 1440)),  // 1080 × 3/4
      ((720, 576), (16, 15), (540, 720)),  // 576 × 15/16
      ((720, 480), (8, 9), (540, 720)),  // 480 × 9/8
      ((720, 480), (32, 27), (405, 720)),  // 480 × 27/32
    ]
  )
  func turned(stored: (Int, Int), aspect: (Int, Int), cover: (Int, Int)) {
    for orientation in OrientationTests.all.map(\.orientation) where orientation.transposes {
      let size = CoverGeometry.uprightSize(
        stored: PixelSize(width: stored.0, height: stored.1),
        sampleAspectRatio: Rational(aspect.0, over: aspect.1),
        orientation: orientation
      )
      #expect(size == PixelSize(width: cover.0, height: cover.1))
    }
  }

  @Test("A half turn or a mirroring does not change the size")
  func halfTurn() {
    for orientation in OrientationTests.all.map(\.orientation) where !orientation.transposes {
      let size = CoverGeometry.uprightSize(
        stored: PixelSize(width: 1440, height: 1080),
        sampleAspectRatio: Rational(4, over: 3),
        orientation: orientation
      )
      #expect(size == PixelSize(width: 1920, height: 1080))
    }
  }

  @Test(
    "The size never exceeds the largest side, and keeps its shape",
    arguments: [
      ((65_534, 32_768), (1, 1), (32_767, 16_384)),
      ((32_767, 100), (2, 1), (32_767, 50)),
      ((100, 65_534), (1, 1), (50, 32_767)),
      ((1920, 1080), (2_147_483_647, 1), (32_767, 1)),
      ((65_535, 65_535), (2_147_483_647, 1), (32_767, 1)),
    ]
  )
  func largest(stored: (Int, Int), aspect: (Int, Int), cover: (Int, Int)) {
    let size = CoverGeometry.uprightSize(
      stored: PixelSize(width: stored.0, height: stored.1),
      sampleAspectRatio: Rational(aspect.0, over: aspect.1),
      orientation: .upright
    )
    #expect(size == PixelSize(width: cover.0, height: cover.1))
  }

  @Test("The size is valid for every 32-bit size and aspect ratio")
  func extremes() {
    let numbers = [1, 2, 3, 1080, 32_767, 32_768, 65_535, 1 << 24, Int(Int32.max) - 1, Int(Int32.max)]
    let sides = 1...SizeLimit.largestSide
    for orientation in [Orientation.upright, Self.quarterTurn] {
      for width in numbers {
        for height in numbers {
          for (numerator, denominator) in numbers.flatMap({ first in (numbers + [0, -1]).map { ($0, first) } }) {
            let size = CoverGeometry.uprightSize(
              stored: PixelSize(width: width, height: height),
              sampleAspectRatio: Rational(numerator, over: denominator),
              orientation: orientation
            )
            if !sides.contains(size.width) || !sides.contains(size.height) {
              Issue.record("\(width)x\(height) of \(numerator):\(denominator) became \(size)")
            }
          }
        }
      }
    }
  }

  @Test(
    "A picture that fills a box is scaled until it covers the box, then cropped to the centre",
    arguments: [
      // Box, picture, scaled size, left and top.
      ("160x90", (1920, 1080), (160, 90), (0, 0)),
      ("100x100", (1920, 1080), (178, 100), (39, 0)),  // 177.8
      ("100x100", (1080, 1920), (100, 178), (0, 39)),
      ("160x90", (90, 160), (160, 284), (0, 97)),  // 284.4
      ("320x180", (16, 9), (320, 180), (0, 0)),
      ("3x2", (2, 2), (3, 3), (0, 0)),  // the odd row is cropped at the bottom
      ("7x3", (1, 1), (7, 7), (0, 2)),
      ("160x90", (1, 320), (160, 51_200), (0, 25_555)),
      ("32767x1", (1, 32_767), (32_767, 1_073_676_289), (0, 536_838_144)),
      ("1x1", (32_767, 1), (32_767, 1), (16_383, 0)),
    ]
  )
  func filling(box: String, size: (Int, Int), scaled: (Int, Int), cut: (Int, Int)) throws {
    let filling = CoverGeometry.filling(
      try #require(SizeLimit(box)),
      with: PixelSize(width: size.0, height: size.1)
    )
    #expect(filling.scaled == PixelSize(width: scaled.0, height: scaled.1))
    #expect(filling.left == cut.0 && filling.top == cut.1)
  }
}
