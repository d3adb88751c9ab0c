/// A picture in memory: rows of RGB or RGBA pixels in sRGB, with straight (not premultiplied) alpha.
///
/// Its memory is aligned and its rows can be padded, for vector code that writes past the last pixel of a row.
package struct Picture: ~Copyable {
  /// The memory layout of a pixel.
  package enum Layout: Sendable {
    /// Red, green, blue, 8 bits each.
    case rgb
    /// Red, green, blue, alpha, 8 bits each.
    case rgba
    /// Red, green, blue, 16 bits each, in the machine's byte order.
    case rgb16
    /// Red, green, blue, alpha, 16 bits each, in the machine's byte order.
    case rgba16

    /// The number of channels.
    package var channels: Int { hasAlpha ? 4 : 3 }

    /// The number of bits per channel.
    package var bits: Int {
      switch self {
      case .rgb, .rgba: 8
      case .rgb16, .rgba16: 16
      }
    }

    /// The number of bytes per pixel.
    package var pixelBytes: Int { channels * bits / 8 }

    /// Whether there is an alpha channel.
    package var hasAlpha: Bool {
      switch self {
      case .rgba, .rgba16: true
      case .rgb, .rgb16: false
      }
    }

    /// The same layout without alpha.
    package var opaque: Layout { bits == 8 ? .rgb : .rgb16 }
  }

  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// The memory layout of a pixel.
  package let layout: Layout
  /// The number of bytes from one row to the next.
  package let rowBytes: Int
  private let storage: UnsafeMutableRawBufferPointer

  /// Creates a picture with all bytes zero.
  ///
  /// - Parameters:
  ///   - width: The width in pixels, at least 1.
  ///   - height: The height in pixels, at least 1.
  ///   - layout: The memory layout of a pixel.
  ///   - rowBytes: The number of bytes from one row to the next, at least `width` pixels (default: no padding).
  ///   - tailBytes: The number of bytes after the last row.
  package init(width: Int, height: Int, layout: Layout, rowBytes: Int? = nil, tailBytes: Int = 0) {
    let rowBytes = rowBytes ?? width * layout.pixelBytes
    precondition(width > 0 && height > 0 && rowBytes >= width * layout.pixelBytes && tailBytes >= 0)
    self.width = width
    self.height = height
    self.layout = layout
    self.rowBytes = rowBytes
    storage = .allocate(byteCount: rowBytes * height + tailBytes, alignment: 64)
    storage.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    storage.deallocate()
  }

  /// Calls `body` with all rows, including padding and tail.
  package borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(storage))
  }

  /// Calls `body` with all rows, including padding and tail, for writing.
  package mutating func withMutableBytes<Result, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage)
  }

  /// Returns one channel of the pixel at column `x` and row `y`: 0…255, or 0…65535 with 16 bits; channel 0 is red.
  package borrowing func value(x: Int, y: Int, channel: Int) -> Int {
    let start = y * rowBytes + x * layout.pixelBytes
    return layout.bits == 8
      ? Int(storage[start + channel])
      : Int(storage.loadUnaligned(fromByteOffset: start + 2 * channel, as: UInt16.self))
  }

  /// Returns all channels of the pixel at column `x` and row `y`.
  package borrowing func pixel(x: Int, y: Int) -> [Int] {
    precondition((0..<width).contains(x) && (0..<height).contains(y))
    return (0..<layout.channels).map { value(x: x, y: y, channel: $0) }
  }

  private mutating func setValue(_ value: Int, x: Int, y: Int, channel: Int) {
    let start = y * rowBytes + x * layout.pixelBytes
    if layout.bits == 8 {
      storage[start + channel] = UInt8(clamping: value)
    } else {
      storage.storeBytes(of: UInt16(clamping: value), toByteOffset: start + 2 * channel, as: UInt16.self)
    }
  }

  /// Returns the picture without its alpha channel.
  package borrowing func droppingAlpha() -> Picture {
    mapPixels { picture, x, y, channel in picture.value(x: x, y: y, channel: channel) }
  }

  /// Returns the picture composited over a background of one colour.
  ///
  /// - Parameters:
  ///   - red: The red component of the background.
  ///   - green: The green component of the background.
  ///   - blue: The blue component of the background.
  package borrowing func flattened(red: UInt8, green: UInt8, blue: UInt8) -> Picture {
    let largest = layout.bits == 8 ? 255 : 65_535
    let ground = [red, green, blue].map { Int($0) * largest / 255 }
    return mapPixels { picture, x, y, channel in
      let alpha = picture.layout.hasAlpha ? picture.value(x: x, y: y, channel: 3) : largest
      let mixed = picture.value(x: x, y: y, channel: channel) * alpha + ground[channel] * (largest - alpha)
      return (mixed + largest / 2) / largest
    }
  }

  /// Returns a picture without alpha whose channel values are computed from this one.
  private borrowing func mapPixels(_ number: (borrowing Picture, Int, Int, Int) -> Int) -> Picture {
    var result = Picture(width: width, height: height, layout: layout.opaque)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          result.setValue(number(self, x, y, channel), x: x, y: y, channel: channel)
        }
      }
    }
    return result
  }
}
