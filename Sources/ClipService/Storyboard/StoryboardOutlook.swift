internal import Covers

/// The properties of a storyboard that follow from the clip's facts, before anything is decoded.
struct StoryboardOutlook {
  /// The number of sheets.
  let count: Int
  /// The size of the tiles, unless the first frame has another size than the clip.
  let tileSize: PixelSize

  /// Returns `nil` if the duration of the clip is unknown.
  init?(of facts: ClipFacts, for request: StoryboardRequest) {
    guard let duration = facts.durationSeconds else { return nil }
    count = request.plan.sheetCount(duration: duration)
    tileSize = request.picture.size.fitting(PixelSize(width: facts.shownWidth, height: facts.shownHeight))
  }
}
