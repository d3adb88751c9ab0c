/// A picture in memory: rows of 8-bit RGB or RGBA pixels, sRGB, alpha not premultiplied.
///
/// The rows are aligned and padded for vector code that writes past the last pixel of a row.
public struct Picture: ~Copyable {
  /// How a pixel is kept.
  public enum Layout: Int, Sendable {
    /// Red, green, blue.
    case rgb = 3
    /// Red, green, blue, alpha.
    case rgba = 4

    /// Bytes of a pixel.
    public var channels: Int { rawValue }
  }

  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// How a pixel is kept.
  public let layout: Layout
  /// Bytes from one row to the next.
  public let rowBytes: Int
  private let storage: UnsafeMutableRawBufferPointer

  /// Makes an empty (zeroed) picture.
  ///
  /// - Parameters:
  ///   - width: Pixels, at least 1.
  ///   - height: Pixels, at least 1.
  ///   - layout: How a pixel is kept.
  ///   - rowBytes: Bytes from one row to the next; at least `width` pixels.
  ///   - tailBytes: Room after the last row.
  public init(width: Int, height: Int, layout: Layout, rowBytes: Int? = nil, tailBytes: Int = 0) {
    let rowBytes = rowBytes ?? width * layout.channels
    precondition(width > 0 && height > 0 && rowBytes >= width * layout.channels && tailBytes >= 0)
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

  /// Calls `body` with all rows, padding and tail included.
  public borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(storage))
  }

  /// Calls `body` with all rows, padding and tail included, for writing.
  public mutating func withMutableBytes<Result, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage)
  }

  /// The channels of the pixel at column `x` and row `y`.
  public borrowing func pixel(x: Int, y: Int) -> [UInt8] {
    precondition((0..<width).contains(x) && (0..<height).contains(y))
    let start = y * rowBytes + x * layout.channels
    return Array(storage[start..<start + layout.channels])
  }

  /// The same pixels without alpha.
  public borrowing func droppingAlpha() -> Picture {
    var result = Picture(width: width, height: height, layout: .rgb)
    result.withMutableBytes { target in
      for y in 0..<height {
        for x in 0..<width {
          for channel in 0..<Layout.rgb.channels {
            target[y * width * 3 + x * 3 + channel] = storage[y * rowBytes + x * layout.channels + channel]
          }
        }
      }
    }
    return result
  }
}
