/// The result for one clip: the record that is printed as a line for people or as a JSON object for programs.
package struct CoverOutcome: Encodable, Sendable {
  /// The kind of result.
  package enum Status: String, Codable, Sendable {
    /// A cover was made.
    case cover
    /// A contact sheet was made.
    case sheet
    /// An animation was made.
    case animation
    /// The existing cover was made from the same clip with the same request, and is not degraded.
    case fresh
    /// The clip has a cover, made in this run or an earlier one, but it is not what the clip's maker saw; the reason is
    /// reported.
    case degraded
    /// The clip is still being written or was cut short; it is worth retrying once the clip has changed.
    case incomplete
    /// No cover can be made of the clip.
    case failed
  }

  /// The clip a cover was requested for.
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

  /// The kind of result.
  package var status: Status
  /// The clip a cover was requested for.
  package var clip: Clip
  /// The location of the cover or animation, for display; `nil` if the clip has no cover, `-` for standard output.
  package var cover: String?
  /// The request.
  package var request: CoverRequest
  /// The size of the existing or new cover in pixels.
  package var coverSize: PixelSize?
  /// The facts of the cover; for one made by an earlier run, as stored in its file.
  package var facts: CoverFacts?
  /// Why the clip has no cover.
  package var failure: CoverFailure?
  /// The duration of the clip in whole seconds, as stored in a fresh cover whose facts are unknown or were not read.
  package var durationSeconds: Double?
  /// Whether the cover was made by an earlier run; its status is `fresh` or `degraded`.
  package var isFresh = false
  /// Whether the cover of an earlier run names another path of the clip, which was moved or copied since.
  package var namesAnotherPath = false
  /// Whether the failure was recorded in an earlier run, and the clip was not tried again.
  package var isKnown = false
  /// The number of attempts in this run.
  package var attempts = 1

  /// Creates the outcome for a clip.
  package init(
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

  /// Whether a usable cover exists now.
  package var hasCover: Bool {
    switch status {
    case .cover, .sheet, .animation, .fresh, .degraded: true
    case .incomplete, .failed: false
    }
  }

  private enum CodingKeys: String, CodingKey {
    case status, reason, clip, cover, sheet, animation
    case requestedTime, requestedSize, requestedFill, width, height, durationSeconds
    case isKnown = "known"
    case attempts
  }

  /// Writes one flat object: the request, the result, and the facts of the cover or animation, or the failure.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(status, forKey: .status)
    try container.encode(clip, forKey: .clip)
    switch request.kind {
    case .cover:
      try container.encodeIfPresent(cover, forKey: .cover)
      try container.encode(request.time.description, forKey: .requestedTime)
    case .contactSheet: try container.encodeIfPresent(cover, forKey: .sheet)
    case .animation:
      try container.encodeIfPresent(cover, forKey: .animation)
      try request.animation?.encode(to: encoder)
    }
    if request.size != .none {
      try container.encode(request.size.description, forKey: .requestedSize)
    }
    try container.encodeIfPresent(request.fill?.description, forKey: .requestedFill)
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

extension CoverOutcome.Status {
  /// Returns the status after a picture was made.
  package static func made(_ kind: PictureKind) -> Self {
    switch kind {
    case .cover: .cover
    case .contactSheet: .sheet
    case .animation: .animation
    }
  }
}
