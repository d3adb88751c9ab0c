package import Covers

/// The validation of a complete file that a decoder has returned as an animation.
///
/// The file is compared with the request, the texts that were sent, and the decoder's reply. Every byte is checked
/// except the compressed pixels, the colours of a GIF, and where in the picture and how a frame is drawn, which cannot
/// be verified without decoding.
package struct AnimationFileCheck: PictureCheck, Hashable {
  /// The most frames of an animation.
  package static let maximumFrames = 1 << 16

  /// The requested format.
  package let format: AnimationFormat
  /// The reported size in pixels.
  package let size: PixelSize
  /// The reported number of frames.
  package let frames: Int
  /// The reported sum of the durations of all frames.
  package let milliseconds: Int
  let texts: StoredTexts
  /// The requested limit of the file, in bytes.
  package let requestedBytes: Int?

  /// Creates a check for one file.
  ///
  /// - Parameters:
  ///   - format: The requested format.
  ///   - size: The reported size in pixels.
  ///   - frames: The reported number of frames.
  ///   - milliseconds: The reported sum of the durations of all frames.
  ///   - texts: The texts that were sent, in order.
  ///   - facts: The text that states the reported facts; `nil` if the file must not have one.
  ///   - requestedBytes: The requested limit of the file, in bytes.
  package init(
    format: AnimationFormat,
    size: PixelSize,
    frames: Int,
    milliseconds: Int,
    texts: [CoverText],
    facts: CoverText?,
    requestedBytes: Int? = nil
  ) {
    self.format = format
    self.size = size
    self.frames = frames
    self.milliseconds = milliseconds
    self.texts = StoredTexts(sent: texts, facts: facts)
    self.requestedBytes = requestedBytes
  }

  /// Checks the reported facts and the length of a file before the file is read.
  package func validate(byteCount: Int) throws(CoverFlaw) {
    let sides = 1...(format == .gif ? 0xFFFF : 0x3FFF)
    guard sides.contains(size.width), sides.contains(size.height) else { throw .size(size) }
    guard (1...Self.maximumFrames).contains(frames) else { throw .frames(frames) }
    guard byteCount <= maximumBytes else { throw .length(byteCount, most: maximumBytes) }
  }

  /// Checks a complete file.
  ///
  /// - Parameter file: All bytes of the file; they must not change during the call.
  package func validate(_ file: UnsafeRawBufferPointer) throws(CoverFlaw) {
    try validate(byteCount: file.count)
    try file.withMemoryRebound(to: UInt8.self) { bytes throws(CoverFlaw) in
      switch format {
      case .webp: try validateWebP(bytes.span)
      case .gif: try validateGIF(bytes.span)
      }
    }
  }

  /// The maximum length in bytes of an animation of this format, size and number of frames, within the requested limit.
  ///
  /// The reported facts must be possible.
  package var maximumBytes: Int {
    min(requestedBytes ?? .max, possibleBytes)
  }

  private var possibleBytes: Int {
    // A text in WebP has the head and the padding of its chunk. In a GIF it has two bytes in front, and a length for
    // each block of up to 255 bytes; it is counted as many blocks of 32.
    let texts = texts.maximumBytes(overhead: 9)
    return switch format {
    case .webp: 12 + 18 + texts + 14 + frames * (8 + 16 + WebPPixels.maximumBytes(of: size, hasAlpha: true))
    case .gif:
      13 + GIFBlocks.maximumTableBytes + 19 + texts + texts / 32 + frames * GIFBlocks.maximumFrameBytes(of: size) + 1
    }
  }

  /// Checks that the frames of a file are those reported.
  func validate(durations: [Int]) throws(CoverFlaw) {
    guard durations.count == frames else { throw .frames(durations.count) }
    let sum = durations.reduce(0, +)
    guard sum == milliseconds, durations.allSatisfy({ $0 > 0 }) else { throw .duration(sum) }
  }
}
