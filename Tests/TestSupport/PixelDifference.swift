internal import Glibc

/// The difference between two pictures of the same size.
package struct PixelDifference: Sendable, CustomStringConvertible {
  /// The mean absolute difference of all samples, 0…255.
  package let meanAbsolute: Double
  /// The peak signal-to-noise ratio in decibels; infinite for equal pictures.
  package let decibels: Double
  /// The largest difference of a sample.
  package let largest: Int

  /// Compares two pictures; returns `nil` if their sizes differ or they are empty.
  package init?(_ one: RawPixels, _ other: RawPixels) {
    guard one.width == other.width, one.height == other.height, one.bytes.count == other.bytes.count,
      !one.bytes.isEmpty
    else { return nil }
    var (sum, squares, largest) = (0, 0, 0)
    one.bytes.withUnsafeBufferPointer { one in
      other.bytes.withUnsafeBufferPointer { other in
        // Without generic functions, which take most of the time in a build that is not optimised.
        var index = 0
        while index < one.count {
          let difference = Int(one[index]) - Int(other[index])
          let size = difference < 0 ? -difference : difference
          sum += size
          squares += size * size
          if size > largest { largest = size }
          index += 1
        }
      }
    }
    meanAbsolute = Double(sum) / Double(one.bytes.count)
    let mean = Double(squares) / Double(one.bytes.count)
    decibels = mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    self.largest = largest
  }

  /// The three figures as text.
  package var description: String { "mean \(meanAbsolute), \(decibels) dB, largest \(largest)" }
}
