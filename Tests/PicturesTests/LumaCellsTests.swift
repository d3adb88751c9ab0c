import Pictures
import Testing

@Suite("The luma of 32×32 cells")
struct LumaCellsTests {
  /// The means of the cells, by adding the part of each pixel that is inside.
  private static func means(_ picture: borrowing Picture) -> [Double] {
    let (width, height, largest) = (picture.width, picture.height, picture.layout.bits == 8 ? 255.0 : 65_535.0)
    func share(_ pixel: Int, of cell: Int, _ length: Int) -> Double {
      let size = Double(length) / 32
      return max(0, min(Double(pixel + 1), Double(cell + 1) * size) - max(Double(pixel), Double(cell) * size)) / size
    }
    var luma = [[Double]](repeating: [], count: height)
    for y in 0..<height {
      for x in 0..<width {
        let values = picture.pixel(x: x, y: y).map { Double($0) / largest }
        let value = 0.2126 * values[0] + 0.7152 * values[1] + 0.0722 * values[2]
        luma[y].append(value * (values.count == 4 ? values[3] : 1) * 2_550_000)
      }
    }
    let rows = luma.map { row in
      (0..<32).map { cell in row.enumerated().reduce(0) { $0 + $1.element * share($1.offset, of: cell, width) } }
    }
    return (0..<1024).map { cell in
      rows.enumerated().reduce(0) { $0 + $1.element[cell % 32] * share($1.offset, of: cell / 32, height) }
    }
  }

  @Test(
    "A pixel counts with its part inside a cell, whatever the size and the layout",
    arguments: [(1, 1), (7, 3), (31, 33), (32, 32), (64, 20), (45, 101), (3, 200)],
    [Picture.Layout.rgb, .rgba]
  )
  func cells(_ size: (width: Int, height: Int), _ layout: Picture.Layout) {
    let picture = PictureSamples.picture(width: size.width, height: size.height, layout: layout, padding: 5)
    let (cells, expected) = (picture.lumaStatistics().cells, Self.means(picture))
    #expect(cells.count == 1024)
    // A product with alpha is rounded down.
    #expect(zip(cells, expected).allSatisfy { abs(Double($0) - $1) <= 2 })
  }

  @Test("16 bits have the same units", arguments: [Picture.Layout.rgb16, .rgba16])
  func deep(_ layout: Picture.Layout) {
    var picture = Picture(width: 50, height: 40, layout: layout)
    picture.withMutableBytes { bytes in
      bytes.withMemoryRebound(to: UInt16.self) { values in
        for index in values.indices { values[index] = UInt16(truncatingIfNeeded: index &* 40_503 ^ index >> 3) }
      }
    }
    let (cells, expected) = (picture.lumaStatistics().cells, Self.means(picture))
    #expect(zip(cells, expected).allSatisfy { abs(Double($0) - $1) <= 2 })
  }
}
