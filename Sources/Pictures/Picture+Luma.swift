/// The mean and variance of a picture's luma.
package struct LumaStatistics: Hashable, Sendable {
  /// The mean luma, from 0 (black) to 255 (white).
  package let mean: Double
  /// The variance of the luma; 0 for a picture of uniform brightness.
  package let variance: Double
}

extension Picture {
  /// Returns the luma statistics of the pixels, ignoring alpha.
  ///
  /// Luma is 0.2126 R + 0.7152 G + 0.0722 B (the weights of BT.709, item 3.2) of the encoded sRGB values, scaled to
  /// 0…255.
  package borrowing func lumaStatistics() -> LumaStatistics {
    // Integers in units of 1/10000 of a code value: exact, and the same on every machine.
    var (sum, squares) = (0, 0.0)
    withBytes { bytes in
      for y in 0..<height {
        let row = UnsafeRawBufferPointer(rebasing: bytes[(y * rowBytes)...].prefix(width * layout.pixelBytes))
        switch layout.bits {
        case 8: row.withMemoryRebound(to: UInt8.self) { add($0, to: &sum, &squares) }
        default: row.withMemoryRebound(to: UInt16.self) { add($0, to: &sum, &squares) }
        }
      }
    }
    let unit = (layout.bits == 8 ? 1.0 : 255.0 / 65_535) / 10_000
    let count = Double(width * height)
    let mean = Double(sum) * unit / count
    return LumaStatistics(mean: mean, variance: max(0, squares * unit * unit / count - mean * mean))
  }

  private borrowing func add(
    _ row: UnsafeBufferPointer<some FixedWidthInteger>,
    to sum: inout Int,
    _ squares: inout Double
  ) {
    var start = 0
    while start < row.count {
      let luma = 2126 * Int(row[start]) + 7152 * Int(row[start + 1]) + 722 * Int(row[start + 2])
      sum += luma
      squares += Double(luma) * Double(luma)
      start += layout.channels
    }
  }
}
