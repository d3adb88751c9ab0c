import Covers
import Testing

@Suite("The plan of a sheet")
struct SheetPlanTests {
  private let plan = SheetPlan(columns: 4, rows: 3, interval: 10)

  @Test(
    "There is a tile for each interval that begins before the end of the clip",
    arguments: [
      (0.0, 1), (0.04, 1), (9.99, 1), (10.0, 1), (10.0005, 1), (10.002, 2), (20, 2), (119.9, 12), (120.5, 13),
      (36_000, 3600), (1e300, 1_000_000_000), (.infinity, 1_000_000_000), (-5, 1),
    ]
  )
  func tileCount(_ duration: Double, _ count: Int) {
    #expect(plan.tileCount(duration: duration) == count)
  }

  @Test("The tiles of all sheets follow each other without gaps")
  func times() {
    var times: [Double] = []
    for number in 0..<3 {
      var plan = plan
      plan.number = number
      times += plan.times(duration: 251)
    }
    #expect(times == (0..<26).map { Double($0) * 10 })
    var later = plan
    later.number = 3
    #expect(later.times(duration: 251) == [])
    #expect(later.times(duration: nil) == (36..<48).map { Double($0) * 10 })
  }

  @Test(
    "A sheet is as large as its tiles need, or as the whole grid if it is padded",
    arguments: [
      (1, 10, 5), (3, 30, 5), (4, 40, 5), (5, 40, 10), (12, 40, 15),
    ]
  )
  func size(_ tiles: Int, _ width: Int, _ height: Int) {
    let tile = PixelSize(width: 10, height: 5)
    #expect(plan.size(tiles: tiles, tile: tile) == PixelSize(width: width, height: height))
    var padded = plan
    padded.isPadded = true
    #expect(padded.size(tiles: tiles, tile: tile) == PixelSize(width: 40, height: 15))
  }

  @Test(
    "Frames are spread evenly from 1 to 99 % of the clip",
    arguments: [
      (1, 100.0, [50.0]), (2, 100, [1, 99]), (3, 200, [2, 100, 198]), (3, 0, [0]),
    ]
  )
  func spread(_ count: Int, _ duration: Double, _ times: [Double]) {
    let found = SheetPlan(.spread(count)).times(duration: duration)
    #expect(found.count == times.count && zip(found, times).allSatisfy { abs($0 - $1) < 1e-9 }, "\(found)")
  }

  @Test("Positions become rising times without repeats; a percentage of an unknown duration is the beginning")
  func positions() {
    let plan = SheetPlan(.at([.percent(50), .seconds(3), .percent(50), .seconds(5)]))
    #expect(plan.times(duration: 20) == [3, 5, 10] && plan.times(duration: 10) == [3, 5])
    #expect(plan.times(duration: nil) == [0, 3, 5])
  }

  @Test(
    "A plan for a contact sheet is read as it was written",
    arguments: [
      SheetPlan.Frames.spread(12), .at([.percent(12.5), .seconds(7)]), .every(30),
    ]
  )
  func contactSheet(_ frames: SheetPlan.Frames) throws {
    var request = CoverRequest()
    request.sheet = SheetPlan(frames)
    request.style = SheetStyle()
    request.style?.columns = 3
    let line = try CanonicalJSON.line(request)
    #expect(try CanonicalJSON.decode(CoverRequest.self, from: line) == request)
  }

  @Test(
    "A contact sheet has 1 to 400 frames",
    arguments: [
      (SheetPlan.Frames.spread(0), false), (.spread(1), true), (.spread(400), true), (.spread(401), false),
      (.at([]), false),
      (.every(0.01), false), (.every(0.1), true),
    ]
  )
  func bounds(_ frames: SheetPlan.Frames, _ isValid: Bool) {
    #expect(SheetPlan(frames).isValid == isValid)
  }

  @Test("A request with a sheet is read as it was written")
  func coding() throws {
    var request = CoverRequest(size: SizeLimit(width: 320, height: 1280) ?? .none)
    request.sheet = plan
    request.sheet?.number = 7
    request.sheet?.usesKeyFrames = false
    request.sheet?.tileSize = SizeLimit(width: 320, height: 180)
    let line = try CanonicalJSON.line(request)
    #expect(try CanonicalJSON.decode(CoverRequest.self, from: line) == request)
    let cover = String(decoding: try CanonicalJSON.line(CoverRequest()), as: UTF8.self)
    #expect(!cover.contains("sheet"), "covers of earlier versions stay fresh")
  }

  @Test(
    "A plan out of range is refused",
    arguments: [
      (0, 3, 10.0, 0), (4, 21, 10, 0), (4, 3, 0.01, 0), (4, 3, 1e9, 0), (4, 3, 10, -1), (4, 3, 10, 20_000),
    ]
  )
  func refusal(_ columns: Int, _ rows: Int, _ interval: Double, _ number: Int) throws {
    var plan = SheetPlan(columns: columns, rows: rows, interval: interval)
    plan.number = number
    let line = try CanonicalJSON.line(plan)
    #expect(throws: DecodingError.self) { try CanonicalJSON.decode(SheetPlan.self, from: line) }
  }

  @Test("A request allows only the sizes that its sheet can have")
  func allowedSizes() {
    var request = CoverRequest(size: SizeLimit(width: 20, height: 30) ?? .none)
    request.sheet = plan
    #expect(request.largestSize == PixelSize(width: 80, height: 90))
    #expect(request.allows(PixelSize(width: 80, height: 90)) && request.allows(PixelSize(width: 1, height: 1)))
    #expect(!request.allows(PixelSize(width: 81, height: 90)) && !request.allows(PixelSize(width: 80, height: 91)))
  }

  @Test("Tiles that do not fill the sheet as reported are not those of the request")
  func tiles() {
    var request = CoverRequest(size: SizeLimit(width: 20, height: 30) ?? .none)
    request.sheet = plan
    func fits(_ tile: PixelSize, _ count: Int, in size: PixelSize, _ request: CoverRequest) -> Bool {
      var facts = CoverFacts(
        size: size,
        alpha: false,
        stored: size,
        orientation: Orientation(transposes: false, mirrorsX: false, mirrorsY: false),
        sampleAspectRatio: nil,
        container: "",
        codec: "",
        pixelFormat: "",
        milliseconds: nil
      )
      facts.tiles = count < 0 ? nil : CoverFacts.Tiles(size: tile, times: Array(repeating: 0, count: count))
      return facts.tilesFit(request)
    }
    let (tile, size) = (PixelSize(width: 20, height: 15), PixelSize(width: 80, height: 30))
    #expect(fits(tile, 5, in: size, request) && fits(tile, 8, in: size, request))
    #expect(!fits(tile, 4, in: size, request) && !fits(tile, 9, in: size, request))
    #expect(!fits(tile, 0, in: size, request) && !fits(tile, 13, in: size, request))
    #expect(!fits(tile, -1, in: size, request) && !fits(tile, 5, in: size, CoverRequest()))
    #expect(!fits(PixelSize(width: 21, height: 15), 5, in: PixelSize(width: 84, height: 30), request))
    #expect(fits(tile, -1, in: size, CoverRequest()))
  }
}
