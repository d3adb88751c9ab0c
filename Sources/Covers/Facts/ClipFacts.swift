/// Information about a clip, read from its container and headers.
///
/// Codecs, pixel formats and colours have FFmpeg's names; `nil` means that the clip does not specify the value.
package struct ClipFacts: Codable, Hashable, Sendable {
  /// FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  package var container: String
  /// The MIME type for the container and codec.
  package var mimeType: String
  /// FFmpeg's name of the codec.
  package var codec: String
  /// The stored width in pixels, before rotation and before pixels are made square; 0 if unknown.
  package var storedWidth: Int
  /// The stored height in pixels; 0 if unknown.
  package var storedHeight: Int
  /// The displayed width in pixels: upright, with square pixels; 0 if unknown.
  package var shownWidth: Int
  /// The displayed height in pixels; 0 if unknown.
  package var shownHeight: Int
  /// The clockwise rotation that makes the stored picture upright, in degrees: 0, 90, 180 or 270.
  package var rotation: Int
  /// Whether the stored picture is mirrored left to right, before the rotation.
  package var mirrored: Bool
  /// The width of a stored pixel divided by its height.
  package var sampleAspectRatio: Rational?
  /// FFmpeg's name of the pixel format.
  package var pixelFormat: String?
  /// FFmpeg's name of the colour matrix.
  package var matrix: String?
  /// FFmpeg's name of the colour range: `tv` or `pc`.
  package var range: String?
  /// FFmpeg's name of the transfer characteristic.
  package var transfer: String?
  /// FFmpeg's name of the colour primaries.
  package var primaries: String?
  /// The duration of the video stream in seconds, or of the whole clip if the stream does not specify one.
  package var durationSeconds: Double?
  /// The average frame rate.
  package var framesPerSecond: Double?
  /// The bit rate of the whole clip.
  package var bitsPerSecond: Int?
  /// The number of video streams, not counting attached pictures.
  package var videoStreams: Int
  /// The number of audio streams.
  package var audioStreams: Int
  /// The number of attached pictures, such as album artwork.
  package var artworkStreams: Int
  /// The index of the stream described, counted from 0 over all streams.
  package var streamIndex: Int
  /// The position of another recording in the file, in bytes, as in files that were joined with `cat`; `nil` if none
  /// was found.
  package var nextRecordingByte: Int?

  /// Whether the file ends in the middle of the clip: it was cut off, or is still being recorded.
  ///
  /// ``durationSeconds`` is then the time up to the last whole frame, unless the file is so large that it was not read.
  package var endedEarly = false
  /// The duration according to the header, in seconds, if the file ends before that and the header has one.
  package var declaredDurationSeconds: Double?

  /// The end of a file that was cut off: `the file ends at 3 s, before the 4 s of its header`; `nil` for others.
  package var earlyEnd: String? {
    guard endedEarly else { return nil }
    let end = durationSeconds.map { " at \(DecimalText.of($0, places: 0...3)) s" } ?? ""
    let declared = declaredDurationSeconds.map { ", before the \(DecimalText.of($0, places: 0...3)) s of its header" }
    return "the file ends\(end)\(declared ?? ", in the middle of the clip")"
  }

  /// Whether the clip has an audio stream.
  package var hasAudio: Bool { audioStreams > 0 }

  /// Creates the facts of a clip; values without a parameter are `nil` or 0.
  package init(
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
