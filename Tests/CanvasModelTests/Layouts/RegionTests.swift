import CanvasModel
import Testing

@Suite("Regions")
struct RegionTests {
  @Test("A region may exceed the screen by a rounding error of one billionth, but not two")
  func tolerance() {
    let allowed = 1 + 1e-9
    #expect(Region(x: 0, y: 0, width: allowed, height: 1) != nil)
    #expect(Region(x: 0, y: 0, width: 1, height: allowed) != nil)
    #expect(Region(x: 0, y: 0, width: 1 + 2e-9, height: 1) == nil)
    #expect(Region(x: 0, y: 0, width: 1, height: 1 + 2e-9) == nil)
  }

  @Test("A region that is empty or starts outside the screen is rejected")
  func inside() {
    for (x, y, width, height) in [(-0.1, 0, 0.5, 0.5), (0, -0.1, 0.5, 0.5), (0, 0, 0, 0.5), (0, 0, 0.5, 0)] {
      #expect(Region(x: x, y: y, width: width, height: height) == nil)
    }
  }

  @Test("A grid without columns or rows ends the process")
  func emptyGrid() async {
    await #expect(processExitsWith: .failure) { _ = Region.grid(columns: 0, rows: 1) }
    await #expect(processExitsWith: .failure) { _ = Region.grid(columns: 1, rows: 0) }
  }
}
