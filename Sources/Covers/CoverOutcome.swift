/// What became of one clip: the record that a person reads as a line and a program as a JSON object.
public struct CoverOutcome: Encodable, Sendable {
  /// How it ended.
  public enum Status: String, Codable, Sendable {
    /// A cover was made.
    case cover
    /// The cover that is there was made of the same clip by the same request.
    case fresh
    /// A cover was made, but it is not what the clip's maker saw; the reason tells.
    case degraded
    /// The clip is still being written, or was cut short; worth another try when it has changed.
    case incomplete
    /// The clip gives no cover.
    case failed
  }

  /// The clip that a cover was asked of.
  public struct Clip: Encodable, Sendable {
    /// For display; bytes that are no UTF-8 are replaced.
    public var path: String
    /// The same without loss.
    public var uri: String
    /// Size of the file; `nil` when it could not be opened.
    public var bytes: Int?
    /// Modification time, nanoseconds since 1970.
    public var mtimeNanoseconds: Int?

    /// Makes one of its parts.
    public init(path: String, uri: String, bytes: Int? = nil, mtimeNanoseconds: Int? = nil) {
      self.path = path
      self.uri = uri
      self.bytes = bytes
      self.mtimeNanoseconds = mtimeNanoseconds
    }
  }

  /// How it ended.
  public var status: Status
  /// What it was asked of.
  public var clip: Clip
  /// Where the cover is, for display; `nil` when there is none, `-` for standard output.
  public var cover: String?
  /// What was asked.
  public var request: CoverRequest
  /// Of the cover that is there, in pixels.
  public var coverSize: PixelSize?
  /// Of a cover that was made now.
  public var facts: CoverFacts?
  /// Of a clip that gave none.
  public var failure: CoverFailure?
  /// Of a clip whose fresh cover tells it, in seconds.
  public var durationSeconds: Double?
  /// Whether the failure is that of an earlier run, and the clip was not tried again.
  public var isKnown = false
  /// How often the clip was tried in this run.
  public var attempts = 1

  /// Makes one of its parts.
  public init(
    status: Status,
    clip: Clip,
    cover: String?,
    request: CoverRequest,
    coverSize: PixelSize? = nil,
    facts: CoverFacts? = nil,
    failure: CoverFailure? = nil
  ) {
    self.status = status
    self.clip = clip
    self.cover = cover
    self.request = request
    self.coverSize = coverSize
    self.facts = facts
    self.failure = failure
  }

  /// Whether a usable cover is there now.
  public var hasCover: Bool {
    switch status {
    case .cover, .fresh, .degraded: true
    case .incomplete, .failed: false
    }
  }

  private enum CodingKeys: String, CodingKey {
    case status, reason, clip, cover
    case requestedTime, requestedSize, width, height, durationSeconds
    case isKnown = "known"
    case attempts
  }

  /// One flat object: what was asked, what became of it, and the facts of the cover or of the failure.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(status, forKey: .status)
    try container.encode(clip, forKey: .clip)
    try container.encodeIfPresent(cover, forKey: .cover)
    try container.encode(request.time.description, forKey: .requestedTime)
    if request.size != .none {
      try container.encode(request.size.description, forKey: .requestedSize)
    }
    try container.encodeIfPresent(facts?.degradation, forKey: .reason)
    try failure?.encode(to: encoder)
    try container.encodeIfPresent(coverSize?.width, forKey: .width)
    try container.encodeIfPresent(coverSize?.height, forKey: .height)
    try container.encodeIfPresent(durationSeconds, forKey: .durationSeconds)
    try container.encodeIfPresent(isKnown ? true : nil, forKey: .isKnown)
    try container.encodeIfPresent(attempts > 1 ? attempts : nil, forKey: .attempts)
    try facts?.encode(to: encoder)
  }
}
