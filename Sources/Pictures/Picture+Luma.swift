/// The luma of a picture: 0.2126 R + 0.7152 G + 0.0722 B (the weights of BT.709, item 3.2) of the encoded sRGB values,
/// scaled to 0…255.
package struct LumaStatistics: Hashable, Sendable {
  /// The mean luma, from 0 (black) to 255 (white).
  package let mean: Double
  /// The variance of the luma; 0 for a picture of uniform brightness.
  package let variance: Double
  /// The mean luma of each of 32×32 cells of equal size, row by row, in units of 1/10000; transparent parts are over
  /// black.
  package let cells: [Int]
}

extension Picture {
  /// Returns the luma statistics of the pixels; the mean and the variance ignore alpha.
  package borrowing func lumaStatistics() -> LumaStatistics {
    // Integers in units of 1/10000 of a code value: exact, and the same on every machine.
    var (sum, squares) = (0, 0.0)
    var cells = LumaCells(width: width, height: height)
    var row = [Int](repeating: 0, count: width)
    withBytes { bytes in
      row.withUnsafeMutableBufferPointer { row in
        for y in 0..<height {
          let pixels = UnsafeRawBufferPointer(rebasing: bytes[(y * rowBytes)...].prefix(width * layout.pixelBytes))
          switch layout.bits {
          case 8: pixels.withMemoryRebound(to: UInt8.self) { add($0, row, to: &sum, &squares) }
          default: pixels.withMemoryRebound(to: UInt16.self) { add($0, row, to: &sum, &squares) }
          }
          cells.add(UnsafeBufferPointer(row), at: y)
        }
      }
    }
    let unit = (layout.bits == 8 ? 1.0 : 255.0 / 65_535) / 10_000
    let count = Double(width * height)
    let mean = Double(sum) * unit / count
    return LumaStatistics(
      mean: mean,
      variance: max(0, squares * unit * unit / count - mean * mean),
      cells: cells.means(divisor: layout.bits == 8 ? 1 : 65_535 / 255)
    )
  }

  /// Adds a row of pixels to the sums, and writes their luma over black.
  private borrowing func add(
    _ pixels: UnsafeBufferPointer<some FixedWidthInteger>,
    _ row: UnsafeMutableBufferPointer<Int>,
    to sum: inout Int,
    _ squares: inout Double
  ) {
    let (channels, hasAlpha, opaque) = (layout.channels, layout.hasAlpha, layout.bits == 8 ? 255 : 65_535)
    var start = 0
    for x in row.indices {
      let luma = 2126 * Int(pixels[start]) + 7152 * Int(pixels[start + 1]) + 722 * Int(pixels[start + 2])
      sum += luma
      squares += Double(luma) * Double(luma)
      row[x] = hasAlpha ? luma * Int(pixels[start + 3]) / opaque : luma
      start += channels
    }
  }
}

/// The sums of the luma in 32×32 cells of a picture.
///
/// A pixel at the edge of a cell counts with the part of it that is inside. Lengths are in units of 1/32 of a pixel, so
/// they are integers, and a cell is as wide as the picture has pixels.
private struct LumaCells {
  private static let side = 32
  private let width: Int
  private let height: Int
  private var sums = [Int](repeating: 0, count: side * side)
  private var row = [Int](repeating: 0, count: side)

  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  mutating func add(_ lumas: UnsafeBufferPointer<Int>, at y: Int) {
    let side = Self.side
    for column in 0..<side {
      let (start, end) = (column * width, (column + 1) * width)
      let (first, last) = (start / side, (end - 1) / side)
      guard first < last else {
        row[column] = lumas[first] * width
        continue
      }
      var whole = 0
      for x in first + 1..<last { whole &+= lumas[x] }
      row[column] = lumas[first] * (side * (first + 1) - start) + whole * side + lumas[last] * (end - side * last)
    }
    for line in side * y / height..<side {
      let overlap = min((line + 1) * height, side * (y + 1)) - max(line * height, side * y)
      guard overlap > 0 else { break }
      for column in 0..<side { sums[side * line + column] += row[column] * overlap }
    }
  }

  /// Returns the mean of each cell.
  ///
  /// - Parameter divisor: The number of units of the sums in a unit of the result.
  func means(divisor: Int) -> [Int] {
    let count = width * height * divisor
    return sums.map { ($0 + count / 2) / count }
  }
}
