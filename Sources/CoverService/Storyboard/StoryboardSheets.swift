internal import Covers

/// The sheets of a storyboard that have been made so far.
struct StoryboardSheets {
  private let plan: SheetPlan
  /// The size of the tiles of the first sheet, which is that of all.
  let tileSize: PixelSize
  private let duration: Double?
  /// The number of sheets.
  private(set) var count = 1
  /// The number of tiles of the last sheet.
  private var lastTiles: Int
  private(set) var isDegraded: Bool
  private var warnings: [String]

  /// Begins with the facts of the first sheet.
  init(plan: SheetPlan, first: CoverFacts) {
    self.plan = plan
    duration = first.durationSeconds
    tileSize = PixelSize(width: first.tiles?.width ?? 1, height: first.tiles?.height ?? 1)
    lastTiles = first.tiles?.times.count ?? 0
    isDegraded = first.degradation != nil
    warnings = first.warnings
  }

  /// Adds the next sheet.
  mutating func add(_ facts: CoverFacts) {
    skip(to: count + 1, last: facts)
  }

  /// Adds several sheets, of which only the last is examined.
  mutating func skip(to count: Int, last: CoverFacts) {
    guard count > 1 else { return }
    self.count = count
    lastTiles = last.tiles?.times.count ?? 0
    isDegraded = isDegraded || last.degradation != nil
    for warning in last.warnings where !warnings.contains(warning) { warnings.append(warning) }
  }

  private var tiles: Int { (count - 1) * plan.capacity + lastTiles }

  /// The number of all sheets of the clip; `nil` if its duration is unknown.
  var expectedCount: Int? {
    duration.map { (min(SheetPlan.maximumTiles, plan.tileCount(duration: $0)) + plan.capacity - 1) / plan.capacity }
  }

  /// Whether the clip may have another sheet.
  var mayContinue: Bool {
    lastTiles == plan.capacity && tiles < min(SheetPlan.maximumTiles, duration.map(plan.tileCount) ?? .max)
  }

  /// Whether a failure to make the next sheet means that the clip has ended.
  func ends(with failure: CoverFailure) -> Bool { duration == nil && failure.cause == .noFrame }

  /// The list of all tiles.
  var list: TileList { TileList(plan: plan, tiles: tiles, tileSize: tileSize, duration: duration) }

  /// The description for people and programs.
  var content: StoryboardOutcome.Content {
    .init(sheets: count, tiles: tiles, tileSize: tileSize, durationSeconds: duration, warnings: warnings)
  }
}
