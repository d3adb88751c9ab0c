internal import Covers

/// What is known of a clip from its container and headers.
///
/// Containers, codecs and pixel formats have FFmpeg's names. `nil` means that the clip does not state the value.
public struct ClipFacts: Sendable, Hashable {
  /// FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  public let container: String
  /// The media type for the container and the codec, such as `video/mp4`.
  public let mediaType: String
  /// FFmpeg's name of the codec, such as `h264`.
  public let codec: String
  /// FFmpeg's name of the pixel format, such as `yuv420p`.
  public let pixelFormat: String?
  /// The stored size, before rotation and before pixels are made square; sides are 0 if unknown.
  public let storedSize: PictureSize
  /// The displayed size: upright, with square pixels; sides are 0 if unknown.
  public let displayedSize: PictureSize
  /// The clockwise rotation that makes the stored picture upright, in degrees: 0, 90, 180 or 270.
  public let rotation: Int
  /// Whether the stored picture is mirrored left to right, before the rotation.
  public let isMirrored: Bool
  /// The duration of the video in seconds.
  public let duration: Double?
  /// The average number of frames per second.
  public let frameRate: Double?
  /// The bit rate of the whole clip, in bits per second.
  public let bitRate: Int?
  /// The number of video streams, without attached pictures.
  public let videoStreams: Int
  /// The number of audio streams.
  public let audioStreams: Int

  init(_ facts: Covers.ClipFacts) {
    (container, mediaType, codec, pixelFormat) = (facts.container, facts.mimeType, facts.codec, facts.pixelFormat)
    storedSize = PictureSize(width: facts.storedWidth, height: facts.storedHeight)
    displayedSize = PictureSize(width: facts.shownWidth, height: facts.shownHeight)
    (rotation, isMirrored) = (facts.rotation, facts.mirrored)
    (duration, frameRate, bitRate) = (facts.durationSeconds, facts.framesPerSecond, facts.bitsPerSecond)
    (videoStreams, audioStreams) = (facts.videoStreams, facts.audioStreams)
  }
}
