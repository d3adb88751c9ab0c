import LiveBoard
import TestSupport
import Testing

@Suite("Layout of cells on the screen")
struct GridLayoutTests {
  /// A screen with a grid on it.
  struct Screen: CustomTestStringConvertible, Sendable {
    let count: Int
    let columns: Int
    let width: Int
    let height: Int

    static let top = 1

    var layout: GridLayout {
      GridLayout(count: count, columns: columns, top: Self.top, width: width, height: height)
    }

    var testDescription: String { "\(count) canvases in \(columns) columns on \(width)×\(height)" }
  }

  private static let screens = [1, 2, 5, 9, 40].flatMap { count in
    [1, 2, 3, 7].flatMap { columns in
      [(15, 20), (16, 5), (40, 4), (47, 30), (80, 22), (100, 28), (200, 60)].map { width, height in
        Screen(count: count, columns: columns, width: width, height: height)
      }
    }
  }

  private func place(_ layout: GridLayout, _ index: Int, from row: Int = 0) -> [Int] {
    let place = layout.rectangle(of: index, from: row)
    return [place.row, place.column, place.width, place.height]
  }

  @Test("Four canvases fill a screen of 100×28 in halves, as pictures of 16:9 would be taller")
  func fourByHand() {
    let layout = GridLayout(count: 4, columns: 2, top: 1, width: 100, height: 28)
    // 48 columns inside are 48 · 9 / 32 = 13.5 rows of a picture, 16 with the frame.
    #expect(
      (0..<4).map { place(layout, $0) } == [[1, 0, 50, 14], [1, 50, 50, 14], [15, 0, 50, 14], [15, 50, 50, 14]]
    )
    #expect(layout.visibleRows == 2 && layout.lastFirstRow == 0)
  }

  @Test("On a tall screen a cell is as tall as its picture")
  func tallByHand() {
    let layout = GridLayout(count: 2, columns: 2, top: 1, width: 68, height: 60)
    // 32 columns inside are 9 rows.
    #expect((0..<2).map { place(layout, $0) } == [[1, 0, 34, 11], [1, 34, 34, 11]])
  }

  @Test("Where not all rows fit, as many are visible as do, and scrolling moves the others up")
  func scrollingByHand() {
    // 68 / 2 columns, 11 rows each: two of the five rows of cells fit on 29.
    let layout = GridLayout(count: 10, columns: 2, top: 1, width: 68, height: 23)
    #expect(layout.visibleRows == 2 && layout.rows == 5 && layout.lastFirstRow == 3)
    #expect(layout.visible(from: 0) == 0..<4 && layout.visible(from: 3) == 6..<10)
    #expect(place(layout, 6, from: 3) == [1, 0, 34, 11] && place(layout, 9, from: 3) == [12, 34, 34, 11])
    #expect(layout.firstRow(showing: 0, near: 3) == 0)
    #expect(layout.firstRow(showing: 9, near: 0) == 3)
    #expect(layout.firstRow(showing: 5, near: 2) == 2)
    #expect(layout.firstRow(showing: 4, near: 0) == 1)
  }

  @Test("Columns narrower than 16 become columns of about 24")
  func narrow() {
    #expect(GridLayout(count: 9, columns: 5, top: 1, width: 80, height: 22).columns == 5)
    #expect(GridLayout(count: 9, columns: 5, top: 1, width: 79, height: 22).columns == 3)
    #expect(GridLayout(count: 9, columns: 5, top: 1, width: 20, height: 22).columns == 1)
    #expect(GridLayout(count: 9, columns: 1, top: 1, width: 15, height: 22).visibleRows == 0)
    #expect(GridLayout(count: 9, columns: 1, top: 1, width: 16, height: 4).visibleRows == 0)
    #expect(GridLayout(count: 9, columns: 1, top: 1, width: 16, height: 5).visibleRows == 1)
  }

  @Test(
    "Visible cells lie on the screen and apart, and each place belongs to the cell that covers it",
    .enabled(if: Scope.isFull)
  )
  func places() {
    for screen in Self.screens {
      let layout = screen.layout
      for row in 0...layout.lastFirstRow {
        var owners: [[Int]: Int] = [:]
        for index in layout.visible(from: row) {
          let cell = layout.rectangle(of: index, from: row)
          #expect(cell.width >= 16 && cell.height >= 5, "\(screen)")
          for line in cell.row..<cell.row + cell.height {
            for column in cell.column..<cell.column + cell.width {
              #expect(owners.updateValue(index, forKey: [line, column]) == nil, "\(screen)")
              #expect((0..<screen.width).contains(column), "\(screen)")
              #expect((Screen.top..<Screen.top + screen.height).contains(line), "\(screen)")
            }
          }
        }
        for line in 0...screen.height + 1 {
          for column in 0...screen.width {
            let found = layout.index(row: line, column: column, from: row)
            #expect(found == owners[[line, column]], "\(screen)")
          }
        }
      }
    }
  }

  @Test("Scrolling to a canvas moves the first row as little as possible", .enabled(if: Scope.isFull))
  func firstRows() {
    for screen in Self.screens where screen.layout.visibleRows > 0 {
      let layout = screen.layout
      for index in 0..<screen.count {
        for near in 0...layout.lastFirstRow {
          let row = layout.firstRow(showing: index, near: near)
          let shows = (0...layout.lastFirstRow).filter { layout.visible(from: $0).contains(index) }
          #expect(row == shows.min { abs($0 - near) < abs($1 - near) }, "\(screen), canvas \(index), near \(near)")
        }
      }
    }
  }
}
