package import Covers

/// The finished sheets of a storyboard.
package struct StoryboardSheets {
  private let plan: SheetPlan
  /// The size of the tiles of the first sheet, which is that of all.
  let tileSize: PixelSize
  private let duration: Double?
  /// The number of sheets.
  private(set) var count: Int
  /// The number of tiles of the last sheet.
  private var lastTiles: Int
  private(set) var isDegraded: Bool
  private var damagedTiles = 0
  private var warnings: [String] = []

  /// Begins with the facts of the first sheet.
  package init(plan: SheetPlan, first: CoverFacts) {
    self.plan = plan
    duration = first.durationSeconds
    tileSize = PixelSize(width: first.tiles?.width ?? 1, height: first.tiles?.height ?? 1)
    lastTiles = 0
    isDegraded = false
    count = 0
    add(first)
  }

  /// Adds the next sheet.
  package mutating func add(_ facts: CoverFacts) {
    count += 1
    lastTiles = facts.tiles?.times.count ?? 0
    damagedTiles += facts.tiles?.damaged ?? 0
    isDegraded = isDegraded || facts.degradation != nil
    for warning in facts.warnings where !warnings.contains(warning) { warnings.append(warning) }
  }

  private var tiles: Int { (count - 1) * plan.capacity + lastTiles }

  /// The number of all sheets of the clip; `nil` if its duration is unknown.
  var expectedCount: Int? {
    duration.map(plan.sheetCount)
  }

  /// Whether two decoders can share the work on a sheet, because it is known where the clip ends.
  var mayBeShared: Bool { duration != nil }

  /// Whether the clip may have another sheet.
  package var mayContinue: Bool {
    lastTiles == plan.capacity && tiles < min(SheetPlan.maximumTiles, duration.map(plan.tileCount) ?? .max)
  }

  /// Whether a failure to make the next sheet means that the clip has ended.
  package func ends(with failure: CoverFailure) -> Bool { failure.cause == .noFrame }

  /// The list of all tiles.
  var list: TileList { TileList(plan: plan, tiles: tiles, tileSize: tileSize, duration: duration) }

  /// The description for people and programs.
  var content: PictureOutcome.Storyboard {
    .init(sheets: count, tiles: tiles, tileSize: tileSize, durationSeconds: duration, warnings: warnings + damage)
  }

  private var damage: [String] {
    damagedTiles == 0 ? [] : ["\(damagedTiles) of \(tiles) tiles \(damagedTiles == 1 ? "is" : "are") damaged"]
  }
}
