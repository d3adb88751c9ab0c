/// A video of clips that play side by side, and how it is written.
///
/// Times are counted in frames of the video.
package struct VideoRequest: Codable, Hashable, Sendable {
  /// What a canvas shows after its clip has ended.
  package enum End: String, Codable, Sendable {
    /// A picture.
    case picture
    /// The last frame of the clip.
    case hold
    /// The clip again, with its sound.
    case loop
  }

  /// A clip of a canvas.
  package struct Clip: Codable, Hashable, Sendable {
    /// The index of the clip's file among those sent along.
    package var file: Int
    /// The frame where the clip starts.
    package var start: Int
    /// The number of frames that the clip lasts; at least 1.
    package var frames: Int
    /// The part of the clip that is left out at its start, in seconds.
    package var skippedSeconds = 0.0
    /// What the canvas shows afterwards.
    package var end: End
    /// The factor of the left channel's samples.
    ///
    /// If both factors are 0, the sound is not decoded.
    package var leftGain: Double
    /// The factor of the right channel's samples.
    package var rightGain: Double

    /// Creates a clip that is heard at its own level.
    package init(file: Int, start: Int, frames: Int, end: End, leftGain: Double = 1, rightGain: Double = 1) {
      (self.file, self.start, self.frames, self.end) = (file, start, frames, end)
      (self.leftGain, self.rightGain) = (leftGain, rightGain)
    }
  }

  /// A rectangle of the frame, and what it shows.
  ///
  /// Each picture is the offset of its pixels in the file of pictures: three bytes for each pixel, row by row. A
  /// picture that is `nil` has the colour of the ground.
  package struct Canvas: Codable, Hashable, Sendable {
    /// The distance from the left edge of the frame, in pixels.
    package var x: Int
    /// The distance from the top edge of the frame, in pixels.
    package var y: Int
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int
    /// The width of an edge in the colour of the ground, outside the rectangle, in pixels.
    package var gutter = 0
    /// The picture before the clip starts, and from where it cannot be decoded any more.
    package var cover: Int?
    /// The picture for ``End/picture``.
    package var after: Int?
    /// The picture behind frames that do not fill the canvas.
    package var backdrop: Int?
    /// The clip; `nil` if the canvas always shows its cover.
    package var clip: Clip?

    /// Creates a canvas without an edge, pictures and clip.
    package init(x: Int, y: Int, width: Int, height: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The number of bytes of a picture.
    package var pictureBytes: Int { 3 * width * height }
  }

  /// The canvases; later ones are in front of earlier ones.
  package var canvases: [Canvas]
  /// The size of the frame, as two even numbers of pixels.
  package var width: Int
  /// The height of the frame; see ``width``.
  package var height: Int
  /// The number of frames in a second.
  package var frameRate: Rational
  /// The duration, in frames.
  package var frames: Int
  /// The colour outside the canvases, as `#rrggbb`.
  package var ground: String
  /// The colour behind transparent parts of clips, as `#rrggbb`.
  package var canvasGround: String
  /// The quality, from 1 to 100.
  package var quality: Int
  /// Whether the video has sound.
  package var hasSound: Bool
  /// Whether the index comes before the media, so that playback over a network can start at once.
  package var isIndexFirst: Bool

  /// Creates a request.
  package init(
    canvases: [Canvas],
    width: Int,
    height: Int,
    frameRate: Rational,
    frames: Int,
    ground: Colour,
    canvasGround: Colour,
    quality: Int,
    hasSound: Bool,
    isIndexFirst: Bool
  ) {
    (self.canvases, self.width, self.height) = (canvases, width, height)
    (self.frameRate, self.frames) = (frameRate, frames)
    (self.ground, self.canvasGround) = (ground.description, canvasGround.description)
    (self.quality, self.hasSound, self.isIndexFirst) = (quality, hasSound, isIndexFirst)
  }

  /// The largest number of canvases.
  package static let maximumCanvases = 64
  /// The largest side of the frame, in pixels.
  package static let maximumSide = 4096
  /// The largest number of frames in a second.
  package static let maximumFrameRate = 120

  /// The duration in seconds.
  package var seconds: Double { Double(frames) / frameRate.value }
}
