/// The colour and opacity that a shape is filled with.
package struct Paint: Hashable, Sendable {
  /// The red component of the sRGB colour.
  package let red: UInt8
  /// The green component of the sRGB colour.
  package let green: UInt8
  /// The blue component of the sRGB colour.
  package let blue: UInt8
  /// The opacity, from 0 (transparent) to 1 (opaque).
  package let opacity: Double

  /// Creates a paint.
  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, opacity: Double = 1) {
    (self.red, self.green, self.blue, self.opacity) = (red, green, blue, opacity)
  }
}

extension Picture {
  /// The number of scan lines sampled per row of pixels.
  ///
  /// Coverage along a scan line is exact, so vertical edges are exact; horizontal edges are exact at multiples of a
  /// sixteenth of a pixel.
  private static let linesOfRow = 16

  /// Fills a shape with antialiased edges.
  ///
  /// The picture must have 8 bits per channel. Parts outside the picture are clipped.
  ///
  /// - Parameters:
  ///   - shape: The shape to fill.
  ///   - hole: A part of the shape, inside it, that is not filled.
  ///   - paint: The colour and opacity to fill it with.
  package mutating func fill(_ shape: Shape, except hole: Shape? = nil, with paint: Paint) {
    precondition(layout.bits == 8, "shapes are drawn on pictures of 8 bits")
    let (top, bottom) = shape.rows
    guard top < Double(height), bottom > 0, top < bottom else { return }
    let rows = max(0, Int(top.rounded(.down)))..<Int(min(Double(height), bottom.rounded(.up)))
    var row = RowCoverage(width: width)
    for y in rows {
      for line in 0..<Self.linesOfRow {
        let place = Double(y) + (Double(line) + 0.5) / Double(Self.linesOfRow)
        row.add(shape.span(at: place), share: 1 / Double(Self.linesOfRow))
        row.add(hole?.span(at: place), share: -1 / Double(Self.linesOfRow))
      }
      blend(paint, into: y, &row)
    }
  }

  /// Draws another picture on this one.
  ///
  /// Both must be RGB with 8 bits per channel. Parts outside this picture are clipped.
  ///
  /// - Parameters:
  ///   - other: The picture to draw.
  ///   - left: The column of its left edge.
  ///   - top: The row of its top edge.
  package mutating func draw(_ other: borrowing Picture, left: Int, top: Int) {
    precondition(layout == .rgb && other.layout == .rgb, "pictures are drawn on RGB of 8 bits")
    let columns = max(0, left)..<max(max(0, left), min(width, left + other.width))
    let rows = max(0, top)..<max(max(0, top), min(height, top + other.height))
    let (rowBytes, otherRowBytes, count) = (rowBytes, other.rowBytes, columns.count * layout.pixelBytes)
    let (start, otherStart) = (columns.lowerBound * layout.pixelBytes, (columns.lowerBound - left) * layout.pixelBytes)
    other.withBytes { source in
      withMutableBytes { target in
        for y in rows {
          let from = source[((y - top) * otherRowBytes + otherStart)...].prefix(count)
          UnsafeMutableRawBufferPointer(rebasing: target[(y * rowBytes + start)...].prefix(count))
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: from))
        }
      }
    }
  }

  private mutating func blend(_ paint: Paint, into y: Int, _ row: inout RowCoverage) {
    let (start, pixelBytes) = (y * rowBytes, layout.pixelBytes)
    withMutableBytes { bytes in
      row.take { columns, coverage in
        // In units of 2⁻¹⁶: integers give the same picture on every machine.
        let share = Int((min(1, max(0, coverage)) * paint.opacity * 65_536).rounded())
        let first = start + pixelBytes * columns.lowerBound
        let pixels = UnsafeMutableRawBufferPointer(
          rebasing: bytes[first..<first + pixelBytes * columns.count]
        )
        if share == 65_536 {
          Self.set(paint, to: pixels, pixelBytes: pixelBytes)
        } else if pixelBytes == 3 {
          for place in stride(from: 0, to: pixels.count, by: 3) { Self.blend(paint, into: pixels, at: place, share) }
        } else {
          for place in stride(from: 0, to: pixels.count, by: 4) { Self.compose(paint, over: pixels, at: place, share) }
        }
      }
    }
  }

  /// Mixes a paint into an RGB pixel.
  private static func blend(_ paint: Paint, into bytes: UnsafeMutableRawBufferPointer, at place: Int, _ share: Int) {
    func mixed(_ old: UInt8, _ new: UInt8) -> UInt8 {
      UInt8((Int(old) * (65_536 - share) + Int(new) * share + 32_768) >> 16)
    }
    bytes[place] = mixed(bytes[place], paint.red)
    bytes[place + 1] = mixed(bytes[place + 1], paint.green)
    bytes[place + 2] = mixed(bytes[place + 2], paint.blue)
  }

  /// Composites a paint over an RGBA pixel, whose alpha is straight.
  private static func compose(_ paint: Paint, over bytes: UnsafeMutableRawBufferPointer, at place: Int, _ share: Int) {
    let (above, below) = (255 * share, Int(bytes[place + 3]) * (65_536 - share))
    let total = above + below
    guard total > 0 else { return }
    func mixed(_ old: UInt8, _ new: UInt8) -> UInt8 {
      UInt8((Int(old) * below + Int(new) * above + total / 2) / total)
    }
    bytes[place] = mixed(bytes[place], paint.red)
    bytes[place + 1] = mixed(bytes[place + 1], paint.green)
    bytes[place + 2] = mixed(bytes[place + 2], paint.blue)
    bytes[place + 3] = UInt8((total + 32_768) >> 16)
  }

  /// Fills a run of pixels by writing the first one and repeatedly doubling what is written.
  private static func set(_ paint: Paint, to bytes: UnsafeMutableRawBufferPointer, pixelBytes: Int) {
    (bytes[0], bytes[1], bytes[2]) = (paint.red, paint.green, paint.blue)
    if pixelBytes == 4 { bytes[3] = 255 }
    var done = pixelBytes
    while done < bytes.count {
      let part = min(done, bytes.count - done)
      UnsafeMutableRawBufferPointer(rebasing: bytes[done..<done + part])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<part]))
      done += part
    }
  }
}

/// The coverage of each pixel in a row, stored as differences between neighbouring pixels.
private struct RowCoverage {
  private var differences: [Double]
  private var touched: Range<Int>?
  private let width: Int

  init(width: Int) {
    self.width = width
    differences = Array(repeating: 0, count: width + 2)
  }

  /// Adds a share of coverage to the pixels in a span; pixels at its ends receive the part that is inside the span.
  mutating func add(_ span: (left: Double, right: Double)?, share: Double) {
    guard let span, span.right > 0, span.left < Double(width) else { return }
    let first = begin(at: max(0, span.left), share: share)
    let last = begin(at: min(Double(width), span.right), share: -share)
    let range = first..<min(width, last + 1)
    touched = touched.map { min($0.lowerBound, range.lowerBound)..<max($0.upperBound, range.upperBound) } ?? range
  }

  /// Starts a share of coverage at a position, and returns the pixel that contains it.
  private mutating func begin(at x: Double, share: Double) -> Int {
    let pixel = Int(x)
    let inside = Double(pixel + 1) - x
    differences[pixel] += share * inside
    differences[pixel + 1] += share * (1 - inside)
    return pixel
  }

  /// Calls the body for each run of pixels with equal coverage, then clears the coverage.
  mutating func take(_ body: (_ columns: Range<Int>, _ coverage: Double) -> Void) {
    guard let touched else { return }
    var (coverage, start) = (0.0, touched.lowerBound)
    for x in touched where differences[x] != 0 {
      if coverage > 1e-9, start < x { body(start..<x, coverage) }
      coverage += differences[x]
      start = x
    }
    if coverage > 1e-9, start < touched.upperBound { body(start..<touched.upperBound, coverage) }
    for x in touched.lowerBound..<min(touched.upperBound + 2, differences.count) { differences[x] = 0 }
    self.touched = nil
  }
}
