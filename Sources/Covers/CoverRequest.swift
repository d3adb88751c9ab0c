/// What is asked of a cover.
///
/// The same clip and request always give the same bytes.
public struct CoverRequest: Hashable, Sendable {
  /// Whether artwork kept in the clip, such as the cover of an album, may be taken for its picture.
  public enum Artwork: String, Codable, Sendable, CaseIterable {
    /// Only moving pictures count.
    case never
    /// Where there is no moving picture.
    case fallback
    /// Wherever there is artwork.
    case prefer
  }

  /// The box the cover must fit into.
  public var size: SizeLimit
  /// The box the cover fills instead: scaled up or down until it covers it, centred, what overhangs cut off.
  public var fill: SizeLimit?
  /// Which frame is wanted.
  public var time: RequestedTime
  /// Which stream is wanted, counted from 0 over all streams; `nil` chooses the first video stream.
  public var stream: Int?
  /// Whether artwork counts as a picture.
  public var artwork = Artwork.never
  /// Whether pixels stay as they are stored instead of being made square.
  public var keepsStorageShape = false
  /// What transparent parts are laid over; `nil` keeps them transparent.
  public var background: Colour?
  /// Bits of a channel: 8 or 16.
  public var bitDepth = 8
  /// Whether the first frame with something to see is wanted, where the one asked for is dark or plain.
  public var skipsDark = false
  /// Whether of an interlaced frame only the field that is presented first is shown; the lines between are made up.
  public var deinterlaces = true
  /// Whether a small cover too is made of a frame that went through every step of the decoder.
  ///
  /// Otherwise the one that smooths the edges of blocks is left out where the cover has at most half the clip's size.
  public var isExact = false
  /// The kind of file.
  public var format = CoverFormat.png
  /// Of a format with loss: 1 to 100.
  public var quality = Self.usualQuality

  /// The quality where none is asked for.
  public static let usualQuality = 90

  /// A request; without more, the first frame at full size.
  public init(size: SizeLimit = .none, time: RequestedTime = .first) {
    self.size = size
    self.time = time
  }

  /// Whether a cover by this request may have a size: the box that it fills, or one within the box that it fits.
  public func allows(_ cover: PixelSize) -> Bool {
    if let fill { return cover == PixelSize(width: fill.width, height: fill.height) }
    return (1...size.width).contains(cover.width) && (1...size.height).contains(cover.height)
  }
}

extension CoverRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case size, fill, format, quality
    case time = "at"
    case stream
    case artwork = "embedded"
    case keepsStorageShape = "storageSize"
    case background
    case bitDepth
    case skipsDark = "skipDark"
    case deinterlaces = "deinterlace"
    case isExact = "exact"
  }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    size = try container.decodeText(SizeLimit.self, forKey: .size)
    fill = container.contains(.fill) ? try container.decodeText(SizeLimit.self, forKey: .fill) : nil
    time = try container.decodeText(RequestedTime.self, forKey: .time)
    stream = try container.decodeIfPresent(Int.self, forKey: .stream)
    artwork = try container.decodeIfPresent(Artwork.self, forKey: .artwork) ?? .never
    keepsStorageShape = try container.decodeIfPresent(Bool.self, forKey: .keepsStorageShape) ?? false
    background =
      container.contains(.background) ? try container.decodeText(Colour.self, forKey: .background) : nil
    bitDepth = try container.decodeIfPresent(Int.self, forKey: .bitDepth) ?? 8
    skipsDark = try container.decodeIfPresent(Bool.self, forKey: .skipsDark) ?? false
    deinterlaces = try container.decodeIfPresent(Bool.self, forKey: .deinterlaces) ?? true
    isExact = try container.decodeIfPresent(Bool.self, forKey: .isExact) ?? false
    format = try container.decodeIfPresent(CoverFormat.self, forKey: .format) ?? .png
    quality = try container.decodeIfPresent(Int.self, forKey: .quality) ?? Self.usualQuality
  }

  /// Writes size and time, and of the rest what is not as usual.
  ///
  /// So a cover that was made before an option existed stays fresh.
  public func encode(to encoder: any Encoder) throws {
    let usual = CoverRequest()
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(size.description, forKey: .size)
    try container.encode(time.description, forKey: .time)
    try container.encodeIfPresent(fill?.description, forKey: .fill)
    try container.encodeIfPresent(stream, forKey: .stream)
    try container.encodeIfPresent(artwork == usual.artwork ? nil : artwork, forKey: .artwork)
    try container.encodeIfPresent(keepsStorageShape ? true : nil, forKey: .keepsStorageShape)
    try container.encodeIfPresent(background?.description, forKey: .background)
    try container.encodeIfPresent(bitDepth == usual.bitDepth ? nil : bitDepth, forKey: .bitDepth)
    try container.encodeIfPresent(skipsDark ? true : nil, forKey: .skipsDark)
    try container.encodeIfPresent(deinterlaces ? nil : false, forKey: .deinterlaces)
    try container.encodeIfPresent(isExact ? true : nil, forKey: .isExact)
    try container.encodeIfPresent(format == usual.format ? nil : format, forKey: .format)
    try container.encodeIfPresent(quality == usual.quality ? nil : quality, forKey: .quality)
  }
}

extension KeyedDecodingContainer {
  /// A value kept as the text a person would type for it.
  fileprivate func decodeText<Value: LosslessStringConvertible>(_: Value.Type, forKey key: Key) throws -> Value {
    let text = try decode(String.self, forKey: key)
    guard let value = Value(text) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "\(text) is not readable")
    }
    return value
  }
}
