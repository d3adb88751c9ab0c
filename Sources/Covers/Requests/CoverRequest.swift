/// The properties of a requested cover, or of a sheet or an animation of several frames.
///
/// The same clip and request always give the same bytes.
package struct CoverRequest: Hashable, Sendable {
  /// Whether artwork embedded in the clip, such as an album cover, may be used as the picture.
  package enum Artwork: String, Codable, Sendable, CaseIterable {
    /// Use only video.
    case never
    /// Use artwork if the clip has no video.
    case fallback
    /// Use artwork if the clip has any.
    case prefer
  }

  /// The box that the cover, the animation, or each tile of a sheet must fit into.
  package var size: SizeLimit
  /// The box that the cover fills instead: scaled up or down until it covers the box, centred, and cropped.
  package var fill: SizeLimit?
  /// The frame to use; without effect on a sheet or an animation.
  package var time: RequestedTime
  /// Whether the frame for a time is the first one presented at or after it instead of the last one at or before it.
  package var excludesEarlierFrames = false
  /// The frames of a sheet and their arrangement; `nil` for a cover, which shows one frame.
  package var sheet: SheetPlan?
  /// The appearance of a contact sheet, which is drawn from the tiles of a sheet; otherwise `nil`.
  package var style: SheetStyle?
  /// The frames of an animation and its file format, which is used instead of ``format``; `nil` for a still picture.
  package var animation: AnimationPlan?
  /// The index of the wanted stream, counted from 0 over all streams; `nil` selects the first video stream
  /// that is shown and has frames, or in a transport stream the largest of the first programme.
  package var stream: Int?
  /// The number of the programme of a transport stream whose streams may be used; `nil` for all, with the first one
  /// preferred.
  package var programme: Int?
  /// Whether artwork may be used as the picture.
  package var artwork = Artwork.never
  /// Whether the video in a motion photo is used instead of the photo.
  package var takesEmbeddedVideo = false
  /// Whether pixels keep their stored shape instead of being made square.
  package var keepsStorageShape = false
  /// The colour drawn behind transparent parts; `nil` keeps them transparent.
  package var background: Colour?
  /// The number of bits per channel: 8 or 16.
  package var bitDepth = 8
  /// Whether only the first field of an interlaced frame is shown and the lines between are interpolated.
  package var deinterlaces = true
  /// Whether small covers are also made from fully decoded frames.
  ///
  /// Otherwise work whose effect is hardly visible is skipped if the cover is much smaller than the clip.
  package var isExact = false
  /// The file format.
  package var format = CoverFormat.png
  /// The quality of a lossy format, from 1 to 100.
  package var quality = Self.usualQuality

  /// The default quality.
  package static let usualQuality = 90

  /// Creates a request (default: the first frame at full size).
  package init(size: SizeLimit = .none, time: RequestedTime = .first) {
    self.size = size
    self.time = time
  }

  /// Whether the request is for several frames at their times.
  package var hasSeveralFrames: Bool { sheet != nil || animation != nil }

  /// Whether a picture made with this request may have the given size: exactly the box it fills, or any size up to the
  /// largest.
  package func allows(_ picture: PixelSize) -> Bool {
    let largest = largestSize
    return fill != nil && sheet == nil
      ? picture == largest
      : (1...largest.width).contains(picture.width) && (1...largest.height).contains(picture.height)
  }

  /// The largest size that a picture made with this request may have.
  package var largestSize: PixelSize {
    guard let sheet else {
      let box = fill ?? size
      return PixelSize(width: box.width, height: box.height)
    }
    let tile = sheet.tileSize ?? size
    return sheet.size(tiles: sheet.capacity, tile: PixelSize(width: tile.width, height: tile.height))
  }
}

extension CoverRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case size, fill, sheet, style, animation, format, quality
    case time = "at"
    case excludesEarlierFrames = "notBefore"
    case stream, programme
    case artwork = "embedded"
    case takesEmbeddedVideo = "embeddedVideo"
    case keepsStorageShape = "storageSize"
    case background
    case bitDepth
    case deinterlaces = "deinterlace"
    case isExact = "exact"
  }

  /// Decodes a request written by ``encode(to:)``.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    size = try container.decodeText(SizeLimit.self, forKey: .size)
    fill = container.contains(.fill) ? try container.decodeText(SizeLimit.self, forKey: .fill) : nil
    time = try container.decodeText(RequestedTime.self, forKey: .time)
    excludesEarlierFrames = try container.decodeIfPresent(Bool.self, forKey: .excludesEarlierFrames) ?? false
    sheet = try container.decodeIfPresent(SheetPlan.self, forKey: .sheet)
    style = try container.decodeIfPresent(SheetStyle.self, forKey: .style)
    animation = try container.decodeIfPresent(AnimationPlan.self, forKey: .animation)
    stream = try container.decodeIfPresent(Int.self, forKey: .stream)
    programme = try container.decodeIfPresent(Int.self, forKey: .programme)
    artwork = try container.decodeIfPresent(Artwork.self, forKey: .artwork) ?? .never
    takesEmbeddedVideo = try container.decodeIfPresent(Bool.self, forKey: .takesEmbeddedVideo) ?? false
    keepsStorageShape = try container.decodeIfPresent(Bool.self, forKey: .keepsStorageShape) ?? false
    background =
      container.contains(.background) ? try container.decodeText(Colour.self, forKey: .background) : nil
    bitDepth = try container.decodeIfPresent(Int.self, forKey: .bitDepth) ?? 8
    deinterlaces = try container.decodeIfPresent(Bool.self, forKey: .deinterlaces) ?? true
    isExact = try container.decodeIfPresent(Bool.self, forKey: .isExact) ?? false
    format = try container.decodeIfPresent(CoverFormat.self, forKey: .format) ?? .png
    quality = try container.decodeIfPresent(Int.self, forKey: .quality) ?? Self.usualQuality
  }

  /// Writes size and time, and other properties only if they differ from their defaults.
  ///
  /// A cover made before an option existed therefore stays fresh.
  package func encode(to encoder: any Encoder) throws {
    let usual = CoverRequest()
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(size.description, forKey: .size)
    try container.encode(time.description, forKey: .time)
    try container.encodeIfPresent(excludesEarlierFrames ? true : nil, forKey: .excludesEarlierFrames)
    try container.encodeIfPresent(fill?.description, forKey: .fill)
    try container.encodeIfPresent(sheet, forKey: .sheet)
    try container.encodeIfPresent(style, forKey: .style)
    try container.encodeIfPresent(animation, forKey: .animation)
    try container.encodeIfPresent(stream, forKey: .stream)
    try container.encodeIfPresent(programme, forKey: .programme)
    try container.encodeIfPresent(artwork == usual.artwork ? nil : artwork, forKey: .artwork)
    try container.encodeIfPresent(takesEmbeddedVideo ? true : nil, forKey: .takesEmbeddedVideo)
    try container.encodeIfPresent(keepsStorageShape ? true : nil, forKey: .keepsStorageShape)
    try container.encodeIfPresent(background?.description, forKey: .background)
    try container.encodeIfPresent(bitDepth == usual.bitDepth ? nil : bitDepth, forKey: .bitDepth)
    try container.encodeIfPresent(deinterlaces ? nil : false, forKey: .deinterlaces)
    try container.encodeIfPresent(isExact ? true : nil, forKey: .isExact)
    try container.encodeIfPresent(format == usual.format ? nil : format, forKey: .format)
    try container.encodeIfPresent(quality == usual.quality ? nil : quality, forKey: .quality)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a value stored as the text a person would type.
  func decodeText<Value: LosslessStringConvertible>(_: Value.Type, forKey key: Key) throws -> Value {
    let text = try decode(String.self, forKey: key)
    guard let value = Value(text) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "\(text) is not readable")
    }
    return value
  }
}
