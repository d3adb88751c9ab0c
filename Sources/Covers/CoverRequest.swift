/// What is asked of a cover.
///
/// The same clip and request always give the same bytes.
public struct CoverRequest: Hashable, Sendable {
  /// The box the cover must fit into.
  public var size: SizeLimit
  /// Which frame is wanted.
  public var time: RequestedTime
  /// Whether of an interlaced frame only the field that is presented first is shown; the lines between are made up.
  public var deinterlaces: Bool
  /// The kind of file.
  public var format: CoverFormat
  /// Of a format with loss: 1 to 100.
  public var quality: Int

  /// The quality where none is asked for.
  public static let usualQuality = 90

  /// A request; without more, the first frame at full size.
  public init(
    size: SizeLimit = .none,
    time: RequestedTime = .first,
    deinterlaces: Bool = true,
    format: CoverFormat = .png,
    quality: Int = Self.usualQuality
  ) {
    self.size = size
    self.time = time
    self.deinterlaces = deinterlaces
    self.format = format
    self.quality = quality
  }
}

extension CoverRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case size, format, quality
    case time = "at"
    case deinterlaces = "deinterlace"
  }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    size = try container.decodeText(SizeLimit.self, forKey: .size)
    time = try container.decodeText(RequestedTime.self, forKey: .time)
    deinterlaces = try container.decodeIfPresent(Bool.self, forKey: .deinterlaces) ?? true
    format = try container.decodeIfPresent(CoverFormat.self, forKey: .format) ?? .png
    quality = try container.decodeIfPresent(Int.self, forKey: .quality) ?? Self.usualQuality
  }

  /// Writes it as the type's description says; what is as usual is left out, so that a new option makes no cover stale.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(size.description, forKey: .size)
    try container.encode(time.description, forKey: .time)
    if !deinterlaces { try container.encode(deinterlaces, forKey: .deinterlaces) }
    if format != .png { try container.encode(format, forKey: .format) }
    if quality != Self.usualQuality { try container.encode(quality, forKey: .quality) }
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
