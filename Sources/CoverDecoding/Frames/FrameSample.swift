internal import Covers
internal import Glibc
internal import Pictures

/// The luma and colour of a small picture, used to compute a frame's score.
struct FrameSample {
  /// Luma from 0 to 255, row after row.
  private let luma: [Double]
  private let width: Int
  private let height: Int
  /// The mean and the variance of red minus green and of yellow minus blue.
  private let opponents: (mean: (Double, Double), variance: (Double, Double))
  /// The part of the picture within its black borders.
  private let inside: (columns: Range<Int>, rows: Range<Int>)

  /// Samples a picture in the layout RGB with 8 bits per channel.
  init(of picture: borrowing Picture) {
    (width, height) = (picture.width, picture.height)
    var luma: [Double] = []
    var colours: [(Double, Double)] = []
    luma.reserveCapacity(width * height)
    colours.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        let (red, green) = (picture.value(x: x, y: y, channel: 0), picture.value(x: x, y: y, channel: 1))
        let blue = picture.value(x: x, y: y, channel: 2)
        luma.append(Double(2126 * red + 7152 * green + 722 * blue) / 10_000)
        colours.append((Double(red - green), Double(red + green) / 2 - Double(blue)))
      }
    }
    self.luma = luma
    let inside = Self.partWithinBorders(luma, width: width, height: height)
    self.inside = inside
    let shown = inside.rows.flatMap { y in inside.columns.map { colours[y * picture.width + $0] } }
    let (first, second) = (Self.statistics(shown.map(\.0)), Self.statistics(shown.map(\.1)))
    opponents = ((first.mean, second.mean), (first.variance, second.variance))
  }

  /// Returns the score of the frame.
  ///
  /// - Parameter next: The frame presented next, in the same size; `nil` after the last frame.
  func score(followedBy next: FrameSample?) -> FrameScore {
    let shown = inside.rows.flatMap { y in inside.columns.map { luma[y * width + $0] } }
    return FrameScore(
      entropy: Self.entropy(of: shown),
      sharpness: sharpness,
      colourfulness: colourfulness,
      extremes: Double(shown.count { $0 < 24 || $0 > 235 }) / Double(shown.count),
      change: next.map(change(to:)) ?? 0
    )
  }

  // MARK: - Parts

  /// The entropy of a histogram of 64 levels, divided by its maximum.
  private static func entropy(of luma: [Double]) -> Double {
    var counts = Array(repeating: 0, count: 64)
    for value in luma { counts[min(63, Int(value / 4))] += 1 }
    let entropy = counts.filter { $0 > 0 }.reduce(0) { sum, count in
      let share = Double(count) / Double(luma.count)
      return sum - share * share.binaryLogarithm
    }
    return entropy / 6
  }

  /// The mean over blocks of 8 × 8 pixels of the variance of the Laplacian, where a variance of 400
  /// and more counts as 1.
  ///
  /// A few strong edges, such as those of letters on a plain background, therefore do not count for much.
  private var sharpness: Double {
    let blockSide = 8
    var blocks: [Double] = []
    for top in stride(from: inside.rows.lowerBound, to: inside.rows.upperBound, by: blockSide) {
      for left in stride(from: inside.columns.lowerBound, to: inside.columns.upperBound, by: blockSide) {
        // The Laplacian is not defined at the edges of the picture.
        let rows = (top..<min(inside.rows.upperBound, top + blockSide)).clamped(to: 1..<max(1, height - 1))
        let columns = (left..<min(inside.columns.upperBound, left + blockSide)).clamped(to: 1..<max(1, width - 1))
        let values = rows.flatMap { y in columns.map { x in laplacian(x: x, y: y) } }
        if values.count > 1 { blocks.append(min(1, Self.statistics(values).variance / 400)) }
      }
    }
    return blocks.isEmpty ? 0 : blocks.reduce(0, +) / Double(blocks.count)
  }

  private func laplacian(x: Int, y: Int) -> Double {
    let at = y * width + x
    return 4 * luma[at] - luma[at - 1] - luma[at + 1] - luma[at - width] - luma[at + width]
  }

  /// The colourfulness by Hasler and Süsstrunk ("Measuring colourfulness in natural images", 2003), where 80 and more,
  /// "very colourful" to people, counts as 1.
  private var colourfulness: Double {
    let spread = (opponents.variance.0 + opponents.variance.1).squareRoot()
    let (first, second) = opponents.mean
    return min(1, (spread + 0.3 * (first * first + second * second).squareRoot()) / 80)
  }

  /// The mean absolute difference of luma.
  private func change(to next: FrameSample) -> Double {
    guard next.luma.count == luma.count else { return 1 }
    return zip(luma, next.luma).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(luma.count) / 255
  }

  // MARK: - Helpers

  private static func statistics(_ values: [Double]) -> (mean: Double, variance: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count))
  }

  /// Returns the columns and rows that remain without black borders, which take up at most two fifths on each side.
  ///
  /// If nothing else remains, the picture is black, and no part of it counts as a border.
  private static func partWithinBorders(
    _ luma: [Double],
    width: Int,
    height: Int
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    func isBlack(_ values: some Sequence<Double>) -> Bool { values.allSatisfy { $0 < 24 } }
    func row(_ y: Int) -> ArraySlice<Double> { luma[y * width..<(y + 1) * width] }
    func column(_ x: Int) -> some Sequence<Double> { stride(from: x, to: luma.count, by: width).lazy.map { luma[$0] } }
    func part(of count: Int, _ isBorder: (Int) -> Bool) -> Range<Int> {
      let most = count * 2 / 5
      let first = (0..<most).prefix(while: isBorder).count
      let last = (0..<most).prefix { isBorder(count - 1 - $0) }.count
      return first..<(count - last)
    }
    guard !isBlack(luma) else { return (0..<width, 0..<height) }
    return (part(of: width) { isBlack(column($0)) }, part(of: height) { isBlack(row($0)) })
  }
}

extension Double {
  /// The logarithm to base 2 of a positive number.
  fileprivate var binaryLogarithm: Double { Glibc.log2(self) }
}
