internal import Pictures

extension Picture {
  /// The number of columns and rows of the grid whose mean colours are the blurred picture.
  private static let blurSide = 3
  /// The share of the picture's colours in the ground.
  private static let blurShare = 0.45

  /// Returns the picture in the middle of a larger one, on a blurred copy of itself that is mixed with another colour.
  ///
  /// Both are RGB with 8 bits per channel.
  ///
  /// - Parameters:
  ///   - width: The width of the larger picture, at least that of this one.
  ///   - height: The height of the larger picture, at least that of this one.
  ///   - paint: The colour to mix with.
  borrowing func centred(width: Int, height: Int, mixedWith paint: Paint) -> Picture {
    var result = backdrop(width: width, height: height, mixedWith: paint)
    result.draw(self, left: (width - self.width) / 2, top: (height - self.height) / 2)
    return result
  }

  /// Returns a blurred copy of the picture in another size, mixed with another colour.
  borrowing func backdrop(width: Int, height: Int, mixedWith paint: Paint) -> Picture {
    var result = Picture(width: width, height: height, layout: .rgb)
    result.fillBlurred(blurred(mixedWith: paint))
    return result
  }

  /// Returns the colours of a blurred copy, row by row.
  private borrowing func blurred(mixedWith paint: Paint) -> [[SIMD3<Double>]] {
    let other = SIMD3(Double(paint.red), Double(paint.green), Double(paint.blue))
    let (width, height, rowBytes, side) = (width, height, rowBytes, Self.blurSide)
    func part(_ number: Int, of length: Int) -> Range<Int> {
      let start = min(number * length / side, length - 1)
      return start..<max(start + 1, (number + 1) * length / side)
    }
    return withBytes { bytes in
      (0..<side).map { row in
        (0..<side).map { column in
          let (columns, rows) = (part(column, of: width), part(row, of: height))
          var sum = SIMD3<Int>.zero
          for y in rows {
            for x in columns {
              let start = y * rowBytes + 3 * x
              sum &+= SIMD3(Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
            }
          }
          let mean = SIMD3<Double>(sum) / Double(columns.count * rows.count)
          return Self.blurShare * mean + (1 - Self.blurShare) * other
        }
      }
    }
  }

  /// Fills the picture with colours that change smoothly between the middles of the parts of a grid.
  private mutating func fillBlurred(_ grid: [[SIMD3<Double>]]) {
    let (width, height, rowBytes) = (width, height, rowBytes)
    let places = (0..<width).map { Self.place(of: $0, in: width) }
    withMutableBytes { bytes in
      for y in 0..<height {
        let (row, share) = Self.place(of: y, in: height)
        let colours = zip(grid[row], grid[row + 1]).map { $0 + share * ($1 - $0) }
        for x in 0..<width {
          let (column, share) = places[x]
          let colour = colours[column] + share * (colours[column + 1] - colours[column])
          let start = y * rowBytes + 3 * x
          for channel in 0..<3 { bytes[start + channel] = UInt8(clamping: Int(colour[channel] + 0.5)) }
        }
      }
    }
  }

  /// Returns the part of the grid before a pixel, and the share of the next part in its colour.
  private static func place(of pixel: Int, in length: Int) -> (part: Int, share: Double) {
    let last = Double(blurSide - 1)
    let place = min(last, max(0, (Double(pixel) + 0.5) / Double(length) * Double(blurSide) - 0.5))
    let part = min(blurSide - 2, Int(place))
    let share = place - Double(part)
    // Without kinks at the middles of the parts.
    return (part, share * share * (3 - 2 * share))
  }
}
