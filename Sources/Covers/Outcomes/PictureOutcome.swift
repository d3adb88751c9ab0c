/// The result for one picture or storyboard of a clip: the record that is printed as a line for people or as a JSON
/// object for programs.
package struct PictureOutcome: Encodable, Sendable {
  /// The kind of result.
  package enum Status: String, Codable, Sendable {
    /// A cover was made.
    case cover
    /// A contact sheet was made.
    case sheet
    /// An animation was made.
    case animation
    /// A storyboard was made.
    case storyboard
    /// The existing picture was made from the same clip with the same request, and is not degraded.
    case fresh
    /// The clip has a picture, made in this run or an earlier one, but it is not what the clip's maker saw; the reason is
    /// reported, except for the tiles of a storyboard.
    case degraded
    /// The clip is still being written or was cut short; it is worth retrying once the clip has changed.
    case incomplete
    /// No picture can be made of the clip.
    case failed
  }

  /// The clip a picture was requested for.
  package struct Clip: Encodable, Sendable {
    /// The path for display, with bytes that are not UTF-8 replaced; `-` for standard input.
    package var path: String
    /// The path as a URI, without loss; `nil` for standard input.
    package var uri: String?
    /// The size of the file; `nil` if it could not be opened.
    package var bytes: Int?
    /// The modification time, in nanoseconds since 1970.
    package var mtimeNanoseconds: Int?

    /// Creates a description of a clip.
    package init(path: String, uri: String?, bytes: Int? = nil, mtimeNanoseconds: Int? = nil) {
      self.path = path
      self.uri = uri
      self.bytes = bytes
      self.mtimeNanoseconds = mtimeNanoseconds
    }
  }

  /// The sheets and tiles of a storyboard that exists.
  package struct Storyboard: Encodable, Hashable, Sendable {
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
  /// The kind of picture.
  package var kind: PictureKind
  /// The clip a picture was requested for.
  package var clip: Clip
  /// The location of the picture or of the storyboard's folder, for display; `nil` after a failure, `-` for standard
  /// output.
  package var path: String?
  /// The request; for a storyboard, that for its first sheet.
  package var request: CoverRequest
  /// The size of the existing or new picture in pixels; `nil` for a storyboard.
  package var size: PixelSize?
  /// The facts of the picture, as stored in its file if it was made by an earlier run; `nil` for a storyboard.
  package var facts: CoverFacts?
  /// The sheets and tiles of a storyboard; `nil` for other pictures.
  package var storyboard: Storyboard?
  /// Why the clip has no picture.
  package var failure: CoverFailure?
  /// The duration of the clip in whole seconds, as stored in a fresh picture whose facts are unknown or were not read.
  package var durationSeconds: Double?
  /// Whether the picture was made by an earlier run; its status is `fresh` or `degraded`.
  package var isFresh = false
  /// Whether the picture of an earlier run names another path of the clip, which was moved or copied since.
  package var namesAnotherPath = false
  /// Whether the failure was recorded in an earlier run, and the clip was not tried again, or was reported by an earlier
  /// search of the same watch.
  package var isKnown = false
  /// The number of attempts in this run.
  package var attempts = 1

  /// Creates the outcome for a clip.
  ///
  /// Without a kind, it is that of the request, which is never a storyboard.
  package init(
    status: Status,
    kind: PictureKind? = nil,
    clip: Clip,
    path: String?,
    request: CoverRequest,
    size: PixelSize? = nil,
    facts: CoverFacts? = nil,
    failure: CoverFailure? = nil
  ) {
    self.status = status
    self.kind = kind ?? request.kind
    self.clip = clip
    self.path = path
    self.request = request
    self.size = size
    self.facts = facts
    self.failure = failure
  }

  /// Whether a usable picture exists now.
  package var hasPicture: Bool {
    switch status {
    case .cover, .sheet, .animation, .storyboard, .fresh, .degraded: true
    case .incomplete, .failed: false
    }
  }

  /// What differs from the request, as sentences.
  package var warnings: [String] { facts?.warnings ?? storyboard?.warnings ?? [] }

  private enum CodingKeys: String, CodingKey {
    case status, reason, clip
    case requestedTime, requestedSize, requestedFill, width, height, durationSeconds
    case columns, rows, interval
    case isKnown = "known"
    case attempts
  }

  /// Writes one flat object: the request, the result, and the facts of the picture, or the failure.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(status, forKey: .status)
    try container.encode(clip, forKey: .clip)
    var paths = encoder.container(keyedBy: PictureKind.self)
    try paths.encodeIfPresent(path, forKey: kind)
    switch kind {
    case .cover: try container.encode(request.time.description, forKey: .requestedTime)
    case .contactSheet: break
    case .animation: try request.animation?.encode(to: encoder)
    case .storyboard:
      try container.encodeIfPresent(request.sheet?.columns, forKey: .columns)
      try container.encodeIfPresent(request.sheet?.rows, forKey: .rows)
      try container.encodeIfPresent(request.sheet?.interval, forKey: .interval)
    }
    // The size of a storyboard's request is that of a tile.
    if kind != .storyboard, request.size != .none {
      try container.encode(request.size.description, forKey: .requestedSize)
    }
    try container.encodeIfPresent(request.fill?.description, forKey: .requestedFill)
    try container.encodeIfPresent(facts?.degradation, forKey: .reason)
    try failure?.encode(to: encoder)
    try container.encodeIfPresent(size?.width, forKey: .width)
    try container.encodeIfPresent(size?.height, forKey: .height)
    try container.encodeIfPresent(durationSeconds, forKey: .durationSeconds)
    try container.encodeIfPresent(isKnown ? true : nil, forKey: .isKnown)
    try container.encodeIfPresent(attempts > 1 ? attempts : nil, forKey: .attempts)
    try facts?.encode(to: encoder)
    try storyboard?.encode(to: encoder)
  }
}

extension PictureOutcome.Status {
  /// Returns the status after a picture was made.
  package static func made(_ kind: PictureKind) -> Self {
    switch kind {
    case .cover: .cover
    case .contactSheet: .sheet
    case .animation: .animation
    case .storyboard: .storyboard
    }
  }
}
