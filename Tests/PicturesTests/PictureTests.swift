import Pictures
import TestSupport
import Testing

@Suite("Pictures in memory")
struct PictureTests {
  @Test("A new picture is all zero, including its tail", arguments: [Picture.Layout.rgb, .rgba])
  func new(layout: Picture.Layout) {
    let picture = Picture(width: 7, height: 3, layout: layout, tailBytes: 5)
    let (rowBytes, bytes) = (picture.rowBytes, picture.withBytes { Array($0) })
    #expect(rowBytes == 7 * layout.pixelBytes)
    #expect(bytes == [UInt8](repeating: 0, count: 7 * 3 * layout.pixelBytes + 5))
  }

  @Test("A picture's memory is aligned to 64 bytes for vector code")
  func alignment() {
    for width in 1...20 {
      let picture = Picture(width: width, height: 1, layout: .rgb)
      let start = picture.withBytes { UInt(bitPattern: $0.baseAddress) }
      #expect(start % 64 == 0)
    }
  }

  @Test("A pixel is found by column and row, whatever the row padding", arguments: [0, 1, 64])
  func pixel(padding: Int) {
    let picture = PictureSamples.picture(width: 5, height: 4, layout: .rgba, padding: padding)
    for y in 0..<4 {
      for x in 0..<5 {
        let pixel = picture.pixel(x: x, y: y)
        #expect(pixel == (0..<4).map { Int(PictureSamples.noise(x, y, $0)) })
      }
    }
  }

  @Test(
    "Reading a pixel outside the picture ends the process",
    .enabled(if: Scope.isFull),
    arguments: [(5, 0), (0, 4), (-1, 0)]
  )
  func outside(x: Int, y: Int) async {
    await #expect(processExitsWith: .failure) { [x, y] in
      let picture = Picture(width: 5, height: 4, layout: .rgb)
      _ = picture.pixel(x: x, y: y)
    }
  }

  @Test("Dropping alpha keeps the colours", arguments: [0, 3])
  func droppingAlpha(padding: Int) {
    let picture = PictureSamples.picture(width: 6, height: 5, layout: .rgba, padding: padding).droppingAlpha()
    let (width, height, layout) = (picture.width, picture.height, picture.layout)
    #expect(width == 6 && height == 5 && layout == .rgb)
    #expect(PictureSamples.bytes(of: picture) == PictureSamples.bytes(width: 6, height: 5, channels: 3))
  }

  @Test("Dropping alpha from a picture without alpha keeps its pixels")
  func droppingNothing() {
    let picture = PictureSamples.picture(width: 6, height: 5, layout: .rgb, padding: 7).droppingAlpha()
    #expect(PictureSamples.bytes(of: picture) == PictureSamples.bytes(width: 6, height: 5, channels: 3))
  }
}
