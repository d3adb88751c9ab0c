import Covers
import Testing

@Suite("The layout of a contact sheet")
struct ContactSheetLayoutTests {
  private func sheet(_ count: Int, _ width: Int, _ height: Int, _ style: SheetStyle = SheetStyle()) -> ContactSheet {
    let size = PixelSize(width: width, height: height)
    var facts = CoverFacts(
      size: size,
      alpha: false,
      stored: size,
      orientation: .upright,
      sampleAspectRatio: nil,
      container: "",
      codec: "",
      pixelFormat: "",
      milliseconds: nil
    )
    facts.durationSeconds = 1
    let clip = ClipFacts(
      container: "",
      mimeType: "",
      codec: "",
      stored: size,
      shown: size,
      orientation: .upright,
      sampleAspectRatio: nil
    )
    return ContactSheet(
      style: style,
      header: .init(name: "a.mp4", bytes: 1, facts: facts, clip: clip),
      tiles: CoverFacts.Tiles(size: size, times: (0..<count).map { Double($0) })
    )
  }

  @Test(
    "Twelve frames are arranged to suit their shape",
    arguments: [
      (400, 225, 4), (225, 400, 6), (400, 300, 4), (400, 167, 3), (400, 400, 4), (400, 10, 1),
    ]
  )
  func columns(_ width: Int, _ height: Int, _ columns: Int) {
    #expect(sheet(12, width, height).columns == columns)
  }

  @Test("The number of columns is at most the requested one, and that of frames")
  func requestedColumns() {
    var style = SheetStyle()
    style.columns = 5
    #expect(sheet(12, 400, 225, style).columns == 5 && sheet(3, 400, 225, style).columns == 3)
  }

  @Test("The text of the header grows with the sheet, from 12 to 40 pixels")
  func fontSize() {
    #expect(sheet(1, 100, 75).nameFontSize == 12 && sheet(4, 2000, 1125).nameFontSize == 40)
    let middle = sheet(4, 400, 225)
    #expect(abs(middle.nameFontSize - Double(middle.size.width - 2 * middle.margin) / 56) < 1e-9)
    #expect((12.5...39.5).contains(middle.nameFontSize))
  }

  @Test("No frame overlaps another, the header or the edge, whatever their number and size")
  func places() {
    for (count, width, height) in [
      (1, 1, 1), (12, 1, 1), (7, 400, 225), (400, 30, 40), (13, 3, 900), (20, 900, 3), (19, 256, 256),
    ] {
      for hasHeader in [true, false] {
        var style = SheetStyle()
        style.hasHeader = hasHeader
        let sheet = sheet(count, width, height, style)
        let corners = (0..<count).map(sheet.corner)
        var places = Set<[Int]>()
        for corner in corners {
          #expect(corner.left >= sheet.margin && corner.left + width <= sheet.size.width - sheet.margin)
          #expect(corner.top >= sheet.margin && corner.top + height <= sheet.size.height - sheet.margin)
          // Frames are in a grid, so they overlap only if they have the same place.
          #expect((corner.left - sheet.margin) % (width + sheet.gap) == 0)
          places.insert([corner.left, corner.top])
        }
        #expect(places.count == count)
        let top = corners.first?.top ?? 0
        let text = ContactSheet.lineHeight(of: sheet.nameFontSize) + ContactSheet.lineHeight(of: sheet.factsFontSize)
        #expect(top >= sheet.margin + (hasHeader ? text : 0))
        #expect(sheet.size.height == (corners.last?.top ?? 0) + height + sheet.margin)
      }
    }
  }
}
