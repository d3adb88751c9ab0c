/// What a clip is, as its container and headers tell.
///
/// Names of codecs, pixel formats and colours are FFmpeg's; `nil` means that the clip does not say.
public struct ClipFacts: Codable, Hashable, Sendable {
  /// FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  public var container: String
  /// The MIME type that goes with the container and its codec.
  public var mimeType: String
  /// FFmpeg's name of the codec.
  public var codec: String
  /// Pixels as stored, before turning and squaring.
  public var storedWidth: Int
  /// Of the same, in pixels.
  public var storedHeight: Int
  /// Pixels as shown: upright and square.
  public var shownWidth: Int
  /// Of the same, in pixels.
  public var shownHeight: Int
  /// Degrees clockwise that turn the stored picture upright: 0, 90, 180 or 270.
  public var rotation: Int
  /// Whether the stored picture is mirrored left to right, before the rotation.
  public var mirrored: Bool
  /// Width of a stored pixel over its height.
  public var sampleAspectRatio: Rational?
  /// FFmpeg's name of the pixel format.
  public var pixelFormat: String?
  /// FFmpeg's name of the colour matrix.
  public var matrix: String?
  /// FFmpeg's name of the colour range: `tv` or `pc`.
  public var range: String?
  /// FFmpeg's name of the transfer characteristic.
  public var transfer: String?
  /// FFmpeg's name of the colour primaries.
  public var primaries: String?
  /// Of the video stream, in seconds; of the whole clip where the stream does not say.
  public var durationSeconds: Double?
  /// The average.
  public var framesPerSecond: Double?
  /// Of the whole clip.
  public var bitsPerSecond: Int?
  /// Streams of moving pictures.
  public var videoStreams: Int
  /// Streams of sound.
  public var audioStreams: Int
  /// Attached pictures, such as the artwork of an album.
  public var artworkStreams: Int
  /// Which stream the facts are of, counted from 0 over all streams.
  public var streamIndex: Int

  /// Whether the clip has sound.
  public var hasAudio: Bool { audioStreams > 0 }

  /// Makes one of its parts.
  public init(
    container: String,
    mimeType: String,
    codec: String,
    stored: PixelSize,
    shown: PixelSize,
    orientation: Orientation,
    sampleAspectRatio: Rational?
  ) {
    self.container = container
    self.mimeType = mimeType
    self.codec = codec
    storedWidth = stored.width
    storedHeight = stored.height
    shownWidth = shown.width
    shownHeight = shown.height
    rotation = orientation.rotation
    mirrored = orientation.isMirrored
    self.sampleAspectRatio = sampleAspectRatio
    videoStreams = 0
    audioStreams = 0
    artworkStreams = 0
    streamIndex = 0
  }
}
