/// What a decoder reports about a cover, sheet or animation it has made; the facts of a frame are
/// those of the first one.
///
/// The picture contains them too, except for the times of the stages, so that a later run can report them.
package struct CoverFacts: Codable, Hashable, Sendable {
  /// The width of the cover in pixels.
  package var width: Int
  /// The height of the cover in pixels.
  package var height: Int
  /// Whether the cover has transparency (RGBA instead of RGB).
  package var alpha: Bool
  /// The stored width of the frame in pixels, before rotation and before pixels are made square.
  package var storedWidth: Int
  /// The stored height of the frame in pixels.
  package var storedHeight: Int
  /// The clockwise rotation applied to the stored picture, in degrees: 0, 90, 180 or 270.
  package var rotation: Int
  /// Whether the stored picture was mirrored left to right, before the rotation.
  package var mirrored: Bool
  /// The width of a stored pixel divided by its height.
  package var sampleAspectRatio: Rational?
  /// FFmpeg's name of the container.
  ///
  /// This and the following names describe the decoded frame; `nil` means that the clip does not specify the value.
  package var container: String
  /// FFmpeg's name of the codec.
  package var codec: String
  /// FFmpeg's name of the pixel format.
  package var pixelFormat: String
  /// FFmpeg's name of the colour matrix.
  package var matrix: String?
  /// FFmpeg's name of the colour range: `tv` or `pc`.
  package var range: String?
  /// FFmpeg's name of the transfer characteristic.
  package var transfer: String?
  /// FFmpeg's name of the colour primaries.
  package var primaries: String?
  /// Whether the frame is HDR (PQ or HLG) and was tone-mapped to SDR for the cover.
  package var toneMapped: Bool
  /// The Dolby Vision profile of the clip; `nil` if it is not a Dolby Vision clip.
  ///
  /// The cover shows the base layer. If the base layer is not viewable on its own (profile 5), `degradation` is
  /// `dolbyVisionWithoutBaseLayer`.
  package var dolbyVisionProfile: Int?
  /// Whether the frame contains two fields captured at different times.
  package var interlaced: Bool
  /// The presentation time of the frame, in seconds from the start of the video; `nil` if the clip has no timestamps.
  package var actualTime: Double?
  /// The presentation time as an exact fraction.
  package var actualTimeExact: Rational?
  /// The duration of the clip in seconds.
  package var durationSeconds: Double?
  /// When the clip was recorded or, if that is not stored, when the file was made; `nil` if neither is known.
  package var captureDate: CaptureDate?
  /// The average frame rate of the clip, in frames per second, if its container specifies one.
  package var frameRate: Double?
  /// The matrix assumed when the clip has no usable tag, `bt601`; `nil` if the clip specifies one.
  package var assumedMatrix: String?
  /// The mean luma of the cover, from 0 (black) to 255 (white).
  package var meanLuma: Double
  /// The variance of the luma over the cover; 0 for a plain picture.
  package var lumaVariance: Double
  /// The perceptual hash of the cover; `nil` for a sheet or an animation, and for a cover made by an earlier version.
  package var perceptualHash: PerceptualHash?
  /// The tiles of a sheet; `nil` for a cover.
  package var tiles: Tiles?
  /// The frames of an animation; `nil` for a cover or a sheet.
  package var frames: Frames?
  /// The score of the frame, if it was chosen by its score.
  package var score: FrameScore?
  /// What was done differently from the request or had to be guessed, as sentences.
  package var warnings: [String]
  /// Why the picture differs from what the clip's maker saw; otherwise `nil`.
  package var degradation: Degradation?
  /// The time spent in each of the decoder's stages; `nil` for a cover made by an earlier run.
  package var milliseconds: StageTimes?

  /// A reason why a picture differs from what the clip's maker saw, as a stable identifier.
  package enum Degradation: String, Codable, Sendable {
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
  package struct Tiles: Codable, Hashable, Sendable {
    /// The width of each tile in pixels.
    package var width: Int
    /// The height of each tile in pixels.
    package var height: Int
    /// The presentation time of each tile's frame, in seconds from the start of the video; `nil` for a tile whose frame
    /// cannot be decoded, and the wanted time if the clip has no timestamps.
    package var times: [Double?]
    /// The number of tiles whose frame is damaged or cannot be decoded.
    package var damaged: Int
    /// What is compared of each tile, `nil` for one whose frame cannot be decoded; `nil` unless the plan compares tiles.
    package var looks: [FrameLook?]?

    /// Creates a description of tiles.
    package init(size: PixelSize, times: [Double?], damaged: Int = 0) {
      (width, height, self.times, self.damaged) = (size.width, size.height, times, damaged)
    }
  }

  /// Whether the tiles are those of the request: none for a cover; for a sheet, tiles within the limit that fill it.
  package func tilesFit(_ request: CoverRequest) -> Bool {
    guard let plan = request.sheet else { return tiles == nil }
    guard let tiles, (1...plan.capacity).contains(tiles.times.count),
      tiles.looks?.count == (plan.comparesTiles ? tiles.times.count : nil)
    else { return false }
    let limit = plan.tileSize ?? request.size
    guard (1...limit.width).contains(tiles.width), (1...limit.height).contains(tiles.height) else { return false }
    let tile = PixelSize(width: tiles.width, height: tiles.height)
    return plan.size(tiles: tiles.times.count, tile: tile) == PixelSize(width: width, height: height)
  }

  /// The duration of each stage, in milliseconds.
  package struct StageTimes: Codable, Hashable, Sendable {
    /// Reading the container's header and the parameters of its streams.
    package var open: Double
    /// Reading packets until the wanted frame is decoded.
    package var decode: Double
    /// Scaling, rotating and converting the frame.
    package var convert: Double
    /// Compressing and writing the picture.
    package var encode: Double

    /// Creates the times of all stages.
    package init(open: Double, decode: Double, convert: Double, encode: Double) {
      self.open = open
      self.decode = decode
      self.convert = convert
      self.encode = encode
    }

    /// Returns the times of work that was shared with another decoder at the same time.
    package func longest(_ other: StageTimes?) -> StageTimes {
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
  package init(
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
