/// What a decoder reports about a cover, sheet or animation it has made; the facts of a frame are
/// those of the first one.
///
/// The picture contains them too, except for the times of the stages, so that a later run can report them.
public struct CoverFacts: Codable, Hashable, Sendable {
  /// The width of the cover in pixels.
  public var width: Int
  /// The height of the cover in pixels.
  public var height: Int
  /// Whether the cover has transparency (RGBA instead of RGB).
  public var alpha: Bool
  /// The stored width of the frame in pixels, before rotation and before pixels are made square.
  public var storedWidth: Int
  /// The stored height of the frame in pixels.
  public var storedHeight: Int
  /// The clockwise rotation applied to the stored picture, in degrees: 0, 90, 180 or 270.
  public var rotation: Int
  /// Whether the stored picture was mirrored left to right, before the rotation.
  public var mirrored: Bool
  /// The width of a stored pixel divided by its height.
  public var sampleAspectRatio: Rational?
  /// FFmpeg's name of the container.
  ///
  /// This and the following names describe the decoded frame; `nil` means that the clip does not specify the value.
  public var container: String
  /// FFmpeg's name of the codec.
  public var codec: String
  /// FFmpeg's name of the pixel format.
  public var pixelFormat: String
  /// FFmpeg's name of the colour matrix.
  public var matrix: String?
  /// FFmpeg's name of the colour range: `tv` or `pc`.
  public var range: String?
  /// FFmpeg's name of the transfer characteristic.
  public var transfer: String?
  /// FFmpeg's name of the colour primaries.
  public var primaries: String?
  /// Whether the frame is HDR (PQ or HLG) and was tone-mapped to SDR for the cover.
  public var toneMapped: Bool
  /// The Dolby Vision profile of the clip; `nil` if it is not a Dolby Vision clip.
  ///
  /// The cover shows the base layer. If the base layer is not viewable on its own (profile 5), `degradation` is
  /// `dolbyVisionWithoutBaseLayer`.
  public var dolbyVisionProfile: Int?
  /// Whether the frame contains two fields captured at different times.
  public var interlaced: Bool
  /// The presentation time of the frame, in seconds from the start of the video; `nil` if the clip has no timestamps.
  public var actualTime: Double?
  /// The presentation time as an exact fraction.
  public var actualTimeExact: Rational?
  /// The duration of the clip in seconds.
  public var durationSeconds: Double?
  /// The average frame rate of the clip, in frames per second, if its container specifies one.
  public var frameRate: Double?
  /// The matrix assumed when the clip has no usable tag, `bt601`; `nil` if the clip specifies one.
  public var assumedMatrix: String?
  /// The mean luma of the cover, from 0 (black) to 255 (white).
  public var meanLuma: Double
  /// The variance of the luma over the cover; 0 for a plain picture.
  public var lumaVariance: Double
  /// The tiles of a sheet; `nil` for a cover.
  public var tiles: Tiles?
  /// The frames of an animation; `nil` for a cover or a sheet.
  public var frames: Frames?
  /// The score of the frame, if it was chosen by its score.
  public var score: FrameScore?
  /// What was done differently from the request or had to be guessed, as sentences.
  public var warnings: [String]
  /// Why the picture differs from what the clip's maker saw; otherwise `nil`.
  public var degradation: Degradation?
  /// The time spent in each of the decoder's stages; `nil` for a cover made by an earlier run.
  public var milliseconds: StageTimes?

  /// A reason why a picture differs from what the clip's maker saw, as a stable identifier.
  public enum Degradation: String, Codable, Sendable {
    /// The frame is damaged.
    case corruptFrame
    /// Frames of a sheet are damaged.
    case damagedTiles
    /// Frames of an animation were left out, because they are damaged.
    case damagedFrames
    /// The clip is Dolby Vision whose base layer cannot be shown alone.
    case dolbyVisionWithoutBaseLayer
  }

  /// The tiles of a sheet.
  public struct Tiles: Codable, Hashable, Sendable {
    /// The width of each tile in pixels.
    public var width: Int
    /// The height of each tile in pixels.
    public var height: Int
    /// The presentation time of each tile's frame, in seconds from the start of the video; `nil` for a tile whose frame
    /// cannot be decoded, and the wanted time if the clip has no timestamps.
    public var times: [Double?]
    /// The number of tiles whose frame is damaged or cannot be decoded.
    public var damaged: Int

    /// Creates a description of tiles.
    public init(size: PixelSize, times: [Double?], damaged: Int = 0) {
      (width, height, self.times, self.damaged) = (size.width, size.height, times, damaged)
    }
  }

  /// Whether the tiles are those of the request: none for a cover; for a sheet, tiles within the limit that fill it.
  public func tilesFit(_ request: CoverRequest) -> Bool {
    guard let plan = request.sheet else { return tiles == nil }
    guard let tiles, (1...plan.capacity).contains(tiles.times.count) else { return false }
    let limit = plan.tileSize ?? request.size
    guard (1...limit.width).contains(tiles.width), (1...limit.height).contains(tiles.height) else { return false }
    let tile = PixelSize(width: tiles.width, height: tiles.height)
    return plan.size(tiles: tiles.times.count, tile: tile) == PixelSize(width: width, height: height)
  }

  /// The duration of each stage, in milliseconds.
  public struct StageTimes: Codable, Hashable, Sendable {
    /// Reading the container's header and the parameters of its streams.
    public var open: Double
    /// Reading packets until the wanted frame is decoded.
    public var decode: Double
    /// Scaling, rotating and converting the frame.
    public var convert: Double
    /// Compressing and writing the picture.
    public var encode: Double

    /// Creates the times of all stages.
    public init(open: Double, decode: Double, convert: Double, encode: Double) {
      self.open = open
      self.decode = decode
      self.convert = convert
      self.encode = encode
    }

    /// Returns the times of work that was shared with another decoder at the same time.
    public func longest(_ other: StageTimes?) -> StageTimes {
      guard let other else { return self }
      return StageTimes(
        open: max(open, other.open),
        decode: max(decode, other.decode),
        convert: max(convert, other.convert),
        encode: max(encode, other.encode)
      )
    }
  }

  /// Creates the facts of a cover; values without a parameter are `nil`, `false`, 0 or empty.
  public init(
    size: PixelSize,
    alpha: Bool,
    stored: PixelSize,
    orientation: Orientation,
    sampleAspectRatio: Rational?,
    container: String,
    codec: String,
    pixelFormat: String,
    milliseconds: StageTimes?
  ) {
    width = size.width
    height = size.height
    self.alpha = alpha
    storedWidth = stored.width
    storedHeight = stored.height
    rotation = orientation.rotation
    mirrored = orientation.isMirrored
    self.sampleAspectRatio = sampleAspectRatio
    self.container = container
    self.codec = codec
    self.pixelFormat = pixelFormat
    toneMapped = false
    interlaced = false
    meanLuma = 0
    lumaVariance = 0
    warnings = []
    self.milliseconds = milliseconds
  }
}
