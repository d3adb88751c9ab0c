/// Pixels in memory with 8 bits per channel, row after row without gaps.
///
/// The check optimises this module, so code that reads every sample of a picture belongs here.
package struct RawPixels: Sendable {
  /// The width, in pixels.
  package let width: Int
  /// The height, in pixels.
  package let height: Int
  /// The number of channels, 3 or 4.
  package let channels: Int
  /// The samples, row after row.
  package let bytes: [UInt8]

  /// Creates a picture from its samples.
  package init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.channels = channels
    self.bytes = bytes
  }
}

extension RawPixels {
  /// Returns the samples of the pixel in a column and a row.
  package func pixel(_ x: Int, _ y: Int) -> [Int] {
    let start = (y * width + x) * channels
    return bytes[start..<start + channels].map { Int($0) }
  }

  /// The red, green and blue 5 % inside the top left, top right, bottom left and bottom right corner.
  package var corners: [[Int]] {
    let (x, y) = (width / 20, height / 20)
    return [(x, y), (width - 1 - x, y), (x, height - 1 - y), (width - 1 - x, height - 1 - y)].map { x, y in
      Array(pixel(x, y).prefix(3))
    }
  }

  /// Whether the corners have these colours, each channel within 12 of 255.
  package func hasCorners(_ colours: [String]) -> Bool {
    let wanted = colours.map { colour in
      let number = Int(colour, radix: 16) ?? -1
      return [number >> 16 & 255, number >> 8 & 255, number & 255]
    }
    return zip(corners, wanted).allSatisfy { one, other in zip(one, other).allSatisfy { abs($0 - $1) <= 12 } }
  }

  /// The mean luma by BT.709's weights, 0…255.
  package var meanLuma: Double {
    let weights = [0.2126, 0.7152, 0.0722]
    var sums = [0, 0, 0]
    for start in stride(from: 0, to: bytes.count, by: channels) {
      for channel in 0..<3 { sums[channel] += Int(bytes[start + channel]) }
    }
    return zip(weights, sums).reduce(0) { $0 + $1.0 * Double($1.1) } / Double(width * height)
  }

  /// The share of samples that are brighter, or darker, than both samples above and below by more than 20 of 255.
  package var combedShare: Double {
    let stride = width * channels
    var combed = 0
    for index in stride..<bytes.count - stride {
      let up = Int(bytes[index]) - Int(bytes[index - stride])
      let down = Int(bytes[index]) - Int(bytes[index + stride])
      if up * down > 0, min(abs(up), abs(down)) > 20 { combed += 1 }
    }
    return Double(combed) / Double(bytes.count - 2 * stride)
  }

  /// The places of the pixels that another picture of the same size has in other colours.
  package func changes(from other: RawPixels) -> [(x: Int, y: Int)] {
    var places: [(x: Int, y: Int)] = []
    for index in 0..<min(bytes.count, other.bytes.count) where bytes[index] != other.bytes[index] {
      let (x, y) = (index / channels % width, index / channels / width)
      if places.last.map({ $0 != (x, y) }) ?? true { places.append((x, y)) }
    }
    return places
  }
}

extension RawPixels {
  /// The alpha of a picture that has one, as a picture with one channel.
  package var alphas: RawPixels {
    let values = stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }
    return RawPixels(width: width, height: height, channels: 1, bytes: values)
  }

  /// The pixels without their alpha.
  package var opaque: RawPixels {
    guard channels == 4 else { return self }
    let kept = bytes.indices.filter { $0 % 4 != 3 }.map { bytes[$0] }
    return RawPixels(width: width, height: height, channels: 3, bytes: kept)
  }

  /// Returns a picture with alpha, composited over a gray of 0…255.
  package func composited(over gray: Int) -> RawPixels {
    var flat: [UInt8] = []
    flat.reserveCapacity(width * height * 3)
    for pixel in stride(from: 0, to: bytes.count, by: 4) {
      let alpha = Int(bytes[pixel + 3])
      for channel in 0..<3 {
        flat.append(UInt8((Int(bytes[pixel + channel]) * alpha + gray * (255 - alpha) + 127) / 255))
      }
    }
    return RawPixels(width: width, height: height, channels: 3, bytes: flat)
  }
}
