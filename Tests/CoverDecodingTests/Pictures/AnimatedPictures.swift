import CoverDecoding
import Covers
import Pictures
import TestSupport

/// Pictures to animate.
struct AnimatedPictures {
  let size: PixelSize
  let pictures: [RawPixels]

  /// Creates pictures from a function that returns the channels of a pixel.
  init(
    _ count: Int,
    width: Int,
    height: Int,
    hasAlpha: Bool = false,
    _ pixel: (_ number: Int, _ x: Int, _ y: Int) -> [UInt8]
  ) {
    size = PixelSize(width: width, height: height)
    pictures = (0..<count).map { number in
      let bytes = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(number, x, y) } }
      return RawPixels(width: width, height: height, channels: hasAlpha ? 4 : 3, bytes: bytes)
    }
  }

  /// A bright square that moves to the right over a smooth ground.
  static func square(_ count: Int, width: Int, height: Int) -> AnimatedPictures {
    AnimatedPictures(count, width: width, height: height) { number, x, y in
      let isInside = (number * 3 % width..<number * 3 % width + height / 2).contains(x) && y >= height / 2
      return isInside ? [250, 220, 40] : [UInt8(x * 160 / width), UInt8(40 + y * 120 / height), 90]
    }
  }

  /// Encodes the pictures.
  func encoded(
    _ format: AnimationFormat,
    quality: Int = 75,
    milliseconds: (Int) -> Int = { _ in 100 }
  ) throws -> EncodedAnimation {
    var encoder = try AnimationEncoder(format: format, size: size, quality: quality)
    for (number, pixels) in pictures.enumerated() {
      try encoder.add(Picture(pixels), milliseconds: milliseconds(number))
    }
    return try encoder.finish()
  }

  /// The mean signal-to-noise ratio of frames, without their alpha, in decibels.
  func decibels(of frames: [RawPixels]) -> Double? {
    guard frames.count == pictures.count else { return nil }
    let ratios = zip(pictures, frames).compactMap { PixelDifference($0, $1.opaque)?.decibels }
    return ratios.count == frames.count ? ratios.reduce(0, +) / Double(ratios.count) : nil
  }
}

extension Picture {
  /// Creates a picture whose rows have some padding.
  init(_ pixels: RawPixels) {
    let rowBytes = pixels.width * pixels.channels
    self.init(
      width: pixels.width,
      height: pixels.height,
      layout: pixels.channels == 4 ? .rgba : .rgb,
      rowBytes: rowBytes + 5
    )
    withMutableBytes { bytes in
      for y in 0..<pixels.height {
        for index in 0..<rowBytes { bytes[y * (rowBytes + 5) + index] = pixels.bytes[y * rowBytes + index] }
      }
    }
  }
}
