import Pictures
import Testing

/// Compares shapes with areas and edges computed by hand.
@Suite("Shapes")
struct ShapeTests {
  /// Draws a shape in white on black, so that each value is a coverage.
  private func coverage(
    width: Int = 20,
    height: Int = 16,
    of shape: Shape,
    except hole: Shape? = nil,
    opacity: Double = 1
  ) -> [[Int]] {
    var picture = Picture(width: width, height: height, layout: .rgb)
    picture.fill(shape, except: hole, with: Paint(255, 255, 255, opacity: opacity))
    return (0..<height).map { y in (0..<width).map { x in picture.value(x: x, y: y, channel: 1) } }
  }

  private func area(_ rows: [[Int]]) -> Double { Double(rows.joined().reduce(0, +)) / 255 }

  @Test("A rectangle aligned to pixels covers exactly these pixels")
  func whole() {
    let rows = coverage(of: .rectangle(.init(x: 3, y: 2, width: 5, height: 4)))
    for (y, row) in rows.enumerated() {
      for (x, value) in row.enumerated() {
        #expect(value == ((3..<8).contains(x) && (2..<6).contains(y) ? 255 : 0))
      }
    }
  }

  @Test("The edge of a rectangle partly covers its pixels")
  func edges() {
    let rows = coverage(of: .rectangle(.init(x: 1.25, y: 0.5, width: 2.35, height: 1.75)))
    // 1.25…3.6 covers ¾, 1 and ⅗ of a pixel; 0.5…2.25 covers ½, 1 and ¼.
    #expect(Array(rows[0].prefix(5)) == [0, 96, 128, 77, 0])
    #expect(Array(rows[1].prefix(5)) == [0, 191, 255, 153, 0])
    #expect(Array(rows[2].prefix(5)) == [0, 48, 64, 38, 0])
    #expect(rows[3].allSatisfy { $0 == 0 })
  }

  @Test("A rectangle inside one pixel covers it by its area")
  func insidePixel() {
    let rows = coverage(of: .rectangle(.init(x: 4.25, y: 3.25, width: 0.5, height: 0.5)))
    #expect(rows[3][4] == 64 && area(rows) == 64.0 / 255)
  }

  @Test("A disc has the right area", arguments: [0.5, 1, 2.5, 7, 40.3])
  func disc(radius: Double) {
    let rows = coverage(
      width: 100,
      height: 100,
      of: .disc(centre: .init(x: 50.3, y: 49.6), radius: radius)
    )
    #expect(abs(area(rows) - Double.pi * radius * radius) < 0.01 * Double.pi * radius * radius + 0.03)
    #expect(rows[49][50] == 255 || radius < 1.5)
  }

  @Test("A symmetric shape is drawn symmetrically")
  func symmetry() {
    let corners = [Shape.Point(x: 10, y: 1), .init(x: 17, y: 8), .init(x: 10, y: 15), .init(x: 3, y: 8)]
    let shapes: [Shape] = [
      .disc(centre: .init(x: 10, y: 8), radius: 6.7), .polygon(corners),
      .roundedRectangle(.init(x: 2.5, y: 1.5, width: 15, height: 13), radius: 4),
    ]
    for shape in shapes {
      let rows = coverage(of: shape)
      #expect(rows == rows.reversed() && rows == rows.map { $0.reversed() })
    }
  }

  @Test("A right triangle covers half of its bounding box, and its diagonal halves pixels")
  func triangle() {
    let rows = coverage(of: .polygon([.init(x: 2, y: 2), .init(x: 12, y: 12), .init(x: 2, y: 12)]))
    #expect(abs(area(rows) - 50) < 0.1)
    for place in 2..<12 { #expect((127...128).contains(rows[place][place])) }
    #expect(rows[11][2] == 255 && rows[2][11] == 0)
  }

  @Test("A rounded rectangle does not cover its corners")
  func rounded() {
    let rows = coverage(of: .roundedRectangle(.init(x: 0, y: 0, width: 20, height: 16), radius: 5))
    #expect(abs(area(rows) - (320 - (4 - Double.pi) * 25)) < 0.3)
    #expect(rows[0][0] == 0 && rows[0][5] > 240 && rows[8][0] == 255 && rows[15][19] == 0)
  }

  @Test("A border is a shape without its inset")
  func border() {
    let frame = Shape.Frame(x: 1, y: 1, width: 12, height: 10)
    let rows = coverage(of: .rectangle(frame), except: .rectangle(frame.inset(by: 2)))
    #expect(area(rows) == 120 - 48)
    #expect(rows[1][1] == 255 && rows[2][6] == 255 && rows[3][6] == 0 && rows[8][6] == 0 && rows[9][6] == 255)
  }

  @Test("A stroke has the given length and thickness in any direction")
  func stroke() {
    let straight = coverage(of: .stroke(from: .init(x: 2, y: 5), to: .init(x: 12, y: 5), thickness: 4))
    #expect(area(straight) == 40 && straight[3][2] == 255 && straight[2][2] == 0 && straight[7][11] == 0)
    let slanted = coverage(of: .stroke(from: .init(x: 4, y: 4), to: .init(x: 10, y: 12), thickness: 2))
    #expect(abs(area(slanted) - 20) < 0.1)
  }

  @Test("Colours are blended by coverage and opacity")
  func blending() {
    var picture = Picture(width: 4, height: 1, layout: .rgb)
    picture.fill(.rectangle(.init(x: 0, y: 0, width: 4, height: 1)), with: Paint(100, 200, 40))
    picture.fill(.rectangle(.init(x: 1, y: 0, width: 1.5, height: 1)), with: Paint(200, 0, 50, opacity: 0.5))
    #expect(picture.pixel(x: 0, y: 0) == [100, 200, 40])
    #expect(picture.pixel(x: 1, y: 0) == [150, 100, 45])
    #expect(picture.pixel(x: 2, y: 0) == [125, 150, 43])
    #expect(picture.pixel(x: 3, y: 0) == [100, 200, 40])
  }

  @Test("A shape on a picture with alpha is composited over its pixels")
  func alpha() {
    var picture = Picture(width: 4, height: 1, layout: .rgba)
    picture.fill(.rectangle(.init(x: 1, y: 0, width: 1, height: 1)), with: Paint(100, 200, 40, opacity: 0.5))
    picture.fill(.rectangle(.init(x: 2, y: 0, width: 1, height: 1)), with: Paint(100, 200, 40))
    #expect(picture.pixel(x: 1, y: 0) == [100, 200, 40, 128])
    picture.fill(.rectangle(.init(x: 0, y: 0, width: 3, height: 1)), with: Paint(200, 0, 50, opacity: 0.5))
    #expect(picture.pixel(x: 0, y: 0) == [200, 0, 50, 128])
    // (100 · 128 + 200 · 255) ÷ 383, and so on; 128 ÷ 2 + 255 ÷ 2.
    #expect(picture.pixel(x: 1, y: 0) == [167, 67, 47, 192])
    #expect(picture.pixel(x: 2, y: 0) == [150, 100, 45, 255])
    #expect(picture.pixel(x: 3, y: 0) == [0, 0, 0, 0])
  }

  @Test("A shape has the same colours on opaque pictures with and without alpha")
  func opaqueAlpha() {
    let ground = Shape.rectangle(.init(x: 0, y: 0, width: 20, height: 16))
    let disc = Shape.disc(centre: .init(x: 9.3, y: 8.1), radius: 6.4)
    var plain = Picture(width: 20, height: 16, layout: .rgb)
    var alpha = Picture(width: 20, height: 16, layout: .rgba)
    plain.fill(ground, with: Paint(90, 10, 200))
    alpha.fill(ground, with: Paint(90, 10, 200))
    plain.fill(disc, with: Paint(250, 130, 7, opacity: 0.7))
    alpha.fill(disc, with: Paint(250, 130, 7, opacity: 0.7))
    for y in 0..<16 {
      for x in 0..<20 { #expect(alpha.pixel(x: x, y: y) == plain.pixel(x: x, y: y) + [255]) }
    }
  }

  @Test("Parts of a shape outside the picture are clipped")
  func outside() {
    let rows = coverage(of: .disc(centre: .init(x: 0, y: 0), radius: 8))
    #expect(abs(area(rows) - Double.pi * 16) < 0.3)
    #expect(area(coverage(of: .rectangle(.init(x: -9, y: -9, width: 99, height: 99)))) == 320)
    for place in [-30.0, 30] {
      #expect(area(coverage(of: .rectangle(.init(x: place, y: 3, width: 5, height: 5)))) == 0)
      #expect(area(coverage(of: .rectangle(.init(x: 3, y: place, width: 5, height: 5)))) == 0)
    }
  }

  @Test(
    "A picture drawn on another is clipped at its edges",
    arguments: [(2, 3), (-3, -2), (17, 14), (40, 0), (0, -40)]
  )
  func drawing(left: Int, top: Int) {
    var picture = Picture(width: 20, height: 16, layout: .rgb)
    let other = PictureSamples.picture(width: 7, height: 5, layout: .rgb, padding: 3)
    picture.draw(other, left: left, top: top)
    for y in 0..<16 {
      for x in 0..<20 {
        let isCovered = (left..<left + 7).contains(x) && (top..<top + 5).contains(y)
        #expect(picture.pixel(x: x, y: y) == (isCovered ? other.pixel(x: x - left, y: y - top) : [0, 0, 0]))
      }
    }
  }
}
