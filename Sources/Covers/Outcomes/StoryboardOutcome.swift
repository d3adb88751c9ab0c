/// The result for one storyboard: the record that is printed as a line for people or as a JSON object for programs.
package struct StoryboardOutcome: Encodable, Sendable {
  /// The kind of result.
  package enum Status: String, Codable, Sendable {
    /// A storyboard was made.
    case storyboard
    /// The existing storyboard was made from the same clip with the same request, and is not degraded.
    case fresh
    /// There is a storyboard, made in this run or an earlier one, but some of its tiles are not what the clip's maker saw.
    case degraded
    /// The clip is still being written or was cut short.
    case incomplete
    /// No storyboard can be made of the clip.
    case failed
  }

  /// The sheets and tiles of a storyboard that exists.
  package struct Content: Encodable, Hashable, Sendable {
    /// The number of sheets.
    package var sheets: Int
    /// The number of tiles of all sheets.
    package var tiles: Int
    /// The width of each tile in pixels.
    package var tileWidth: Int
    /// The height of each tile in pixels.
    package var tileHeight: Int
    /// The duration of the clip in seconds, if it is known.
    package var durationSeconds: Double?
    /// What differs from the request, as sentences.
    package var warnings: [String]

    /// Creates a description of a storyboard.
    package init(sheets: Int, tiles: Int, tileSize: PixelSize, durationSeconds: Double?, warnings: [String]) {
      (self.sheets, self.tiles, tileWidth, tileHeight) = (sheets, tiles, tileSize.width, tileSize.height)
      (self.durationSeconds, self.warnings) = (durationSeconds, warnings)
    }
  }

  /// The kind of result.
  package var status: Status
  /// The clip a storyboard was requested for.
  package var clip: CoverOutcome.Clip
  /// The folder of the storyboard, for display; `nil` after a failure.
  package var storyboard: String?
  /// The plan of the first sheet.
  package var plan: SheetPlan
  /// The sheets and tiles; `nil` after a failure.
  package var content: Content?
  /// Why no storyboard exists.
  package var failure: CoverFailure?
  /// Whether the storyboard was made by an earlier run.
  package var isFresh = false
  /// Whether the storyboard of an earlier run names another path of the clip, which was moved or copied since.
  package var namesAnotherPath = false
  /// The number of attempts in this run.
  package var attempts = 1

  /// Creates an outcome.
  package init(
    status: Status,
    clip: CoverOutcome.Clip,
    storyboard: String?,
    plan: SheetPlan,
    content: Content?,
    failure: CoverFailure?
  ) {
    (self.status, self.clip, self.storyboard, self.plan) = (status, clip, storyboard, plan)
    (self.content, self.failure) = (content, failure)
  }

  /// Whether a usable storyboard exists now.
  package var hasStoryboard: Bool { content != nil }

  private enum CodingKeys: String, CodingKey {
    case status, clip, storyboard, columns, rows, interval, attempts
  }

  /// Writes one flat object: the clip, the plan, and the storyboard or the failure.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(status, forKey: .status)
    try container.encode(clip, forKey: .clip)
    try container.encodeIfPresent(storyboard, forKey: .storyboard)
    try container.encode(plan.columns, forKey: .columns)
    try container.encode(plan.rows, forKey: .rows)
    try container.encode(plan.interval, forKey: .interval)
    try container.encodeIfPresent(attempts > 1 ? attempts : nil, forKey: .attempts)
    try content?.encode(to: encoder)
    try failure?.encode(to: encoder)
  }
}
