internal import Covers
internal import Files
internal import Pictures
internal import SystemPackage

/// An image of a frame, upright, in sRGB and with square pixels, and what is known of the frame.
public struct ClipImage: Sendable, Hashable {
  /// The complete file, in the format of the generator.
  public let data: [UInt8]
  /// The media type of ``data``, such as `image/png`.
  public let mediaType: String
  /// The size.
  public let size: PictureSize
  /// Whether the image has transparency.
  public let hasTransparency: Bool
  /// The time when the frame is presented, in seconds from the start of the video; `nil` if the clip has no timestamps.
  public let actualTime: Double?
  /// The duration of the clip in seconds, if it is known.
  public let clipDuration: Double?
  /// FFmpeg's name of the container.
  public let container: String
  /// FFmpeg's name of the codec.
  public let codec: String
  /// The clockwise rotation that was applied, in degrees: 0, 90, 180 or 270.
  public let rotation: Int
  /// Whether the frame is HDR and was tone-mapped.
  public let isToneMapped: Bool
  /// Whether the image differs from what the maker of the clip saw, because the frame is damaged or its colours cannot
  /// be shown.
  public let isDegraded: Bool
  /// The mean luma, from 0 (black) to 255 (white).
  public let meanLuma: Double
  /// What was done differently from the request or had to be guessed, as sentences.
  public let warnings: [String]

  init(data: [UInt8], mediaType: String, facts: CoverFacts) {
    (self.data, self.mediaType) = (data, mediaType)
    size = PictureSize(width: facts.width, height: facts.height)
    (hasTransparency, actualTime, clipDuration) = (facts.alpha, facts.actualTime, facts.durationSeconds)
    (container, codec, rotation) = (facts.container, facts.codec, facts.rotation)
    (isToneMapped, isDegraded) = (facts.toneMapped, facts.degradation != nil)
    (meanLuma, warnings) = (facts.meanLuma, facts.warnings)
  }
}

/// The pixels of a frame.
public struct ClipPixels: Sendable, Hashable {
  /// The size.
  public let size: PictureSize
  /// The rows from top to bottom, without padding: red, green, blue and alpha of each pixel, 8 bits each, in sRGB; the
  /// colours are not multiplied by alpha.
  public let rgba: [UInt8]
  /// The time when the frame is presented, in seconds from the start of the video; `nil` if the clip has no timestamps.
  public let actualTime: Double?

  /// The largest number of pixels of an image: both sides have the largest length.
  private static let maximumPixels = SizeLimit.largestSide * SizeLimit.largestSide

  /// Unpacks a PNG file of 8 bits per channel that was checked.
  init(_ file: MemoryFile, facts: CoverFacts) throws(ClipError) {
    let picture: Picture
    do throws(PNGError) {
      picture = try Picture(readingPNGFrom: file.descriptor.rawValue, maximumPixels: Self.maximumPixels)
    } catch {
      throw ClipError(
        CoverFailure(stage: .service, cause: .invalidReply, message: "the pixels cannot be read: \(error)")
      )
    }
    size = PictureSize(width: picture.width, height: picture.height)
    actualTime = facts.actualTime
    rgba = picture.rgbaBytes()
  }
}

extension Picture {
  /// The rows of a picture of 8 bits per channel as red, green, blue and alpha of each pixel, without padding.
  fileprivate borrowing func rgbaBytes() -> [UInt8] {
    let (width, height, rowBytes, channels) = (width, height, rowBytes, layout.channels)
    return withBytes { bytes in
      [UInt8](unsafeUninitializedCapacity: width * height * 4) { target, count in
        for y in 0..<height {
          for x in 0..<width {
            let source = y * rowBytes + x * channels
            for channel in 0..<3 { target.initializeElement(at: count + channel, to: bytes[source + channel]) }
            target.initializeElement(at: count + 3, to: channels == 4 ? bytes[source + 3] : 255)
            count += 4
          }
        }
      }
    }
  }
}
