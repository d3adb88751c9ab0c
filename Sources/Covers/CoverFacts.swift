/// What a decoder tells of a cover that it has made.
public struct CoverFacts: Codable, Hashable, Sendable {
  /// Of the cover, in pixels.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int
  /// Whether the cover has transparency (RGBA instead of RGB).
  public var alpha: Bool
  /// Pixels of the frame as stored, before turning and squaring.
  public var storedWidth: Int
  /// Of the same, in pixels.
  public var storedHeight: Int
  /// Degrees clockwise by which the stored picture was turned: 0, 90, 180 or 270.
  public var rotation: Int
  /// Whether it was mirrored left to right, before the rotation.
  public var mirrored: Bool
  /// Width of a stored pixel over its height.
  public var sampleAspectRatio: Rational?
  /// FFmpeg's names, of the decoded frame; `nil` means that the clip does not say.
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
  /// Whether the frame is HDR (PQ or HLG) and the cover its mapping to SDR.
  public var toneMapped: Bool
  /// The profile of a Dolby Vision clip; `nil` for every other clip.
  ///
  /// The cover is of the base layer. Where that is no picture by itself (profile 5), `degradation` is
  /// `dolbyVisionWithoutBaseLayer`.
  public var dolbyVisionProfile: Int?
  /// Whether the frame holds two fields of different times.
  public var interlaced: Bool
  /// When the frame is presented, in seconds from the start of the video; `nil` when the clip has no times.
  public var actualTime: Double?
  /// The same without rounding.
  public var actualTimeExact: Rational?
  /// Of the clip, in seconds.
  public var durationSeconds: Double?
  /// The matrix that was taken for want of a usable tag: `bt601`; `nil` where the clip tells its own.
  public var assumedMatrix: String?
  /// How bright the cover is: 0 black, 255 white.
  public var meanLuma: Double
  /// How much that varies over the cover; 0 for a plain one.
  public var lumaVariance: Double
  /// What was done otherwise than asked, or had to be guessed, in words.
  public var warnings: [String]
  /// Set when the picture is not what the clip's maker saw: a stable word such as `corruptFrame`.
  public var degradation: String?
  /// Milliseconds of the decoder's stages.
  public var milliseconds: StageTimes

  /// How long each stage took, in milliseconds.
  public struct StageTimes: Codable, Hashable, Sendable {
    /// Reading the container's header and the facts of its streams.
    public var open: Double
    /// Reading packets until the wanted frame came out.
    public var decode: Double
    /// Scaling, turning and converting the frame.
    public var convert: Double
    /// Compressing and writing the picture.
    public var encode: Double

    /// Makes one of its parts.
    public init(open: Double, decode: Double, convert: Double, encode: Double) {
      self.open = open
      self.decode = decode
      self.convert = convert
      self.encode = encode
    }
  }

  /// Makes one of its parts.
  public init(
    size: PixelSize,
    alpha: Bool,
    stored: PixelSize,
    orientation: Orientation,
    sampleAspectRatio: Rational?,
    container: String,
    codec: String,
    pixelFormat: String,
    milliseconds: StageTimes
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
