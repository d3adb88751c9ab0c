internal import Covers
internal import Pictures

/// The pictures of an animation, each with the number of successive frames that show it.
struct AnimationFrames {
  /// A picture, which cannot be copied, and the number of frames.
  final class Shown {
    let picture: Picture
    var count = 1

    init(_ picture: consuming Picture) { self.picture = picture }
  }

  /// The pictures in order.
  private(set) var shown: [Shown] = []
  /// The size of all pictures, which is that of the first.
  private(set) var size: PixelSize?
  /// Whether a picture has transparency.
  private(set) var hasAlpha = false

  /// The brightness of the first picture.
  var firstLuma: (mean: Double, variance: Double) {
    guard let first = shown.first else { return (0, 0) }
    let luma = first.picture.lumaStatistics()
    return (luma.mean, luma.variance)
  }

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - picture: The picture; a smaller one is drawn in the middle of a black one.
  ///   - size: The size of all pictures.
  mutating func add(_ picture: consuming Picture, on size: PixelSize) {
    self.size = size
    guard picture.width != size.width || picture.height != size.height else {
      hasAlpha = hasAlpha || picture.layout.hasAlpha
      return shown.append(Shown(picture))
    }
    let (left, top) = ((size.width - picture.width) / 2, (size.height - picture.height) / 2)
    var whole = Picture(width: size.width, height: size.height, layout: .rgb)
    if picture.layout.hasAlpha { picture = picture.flattened(red: 0, green: 0, blue: 0) }
    whole.draw(picture, left: left, top: top)
    shown.append(Shown(whole))
  }

  /// Shows the last picture for another frame.
  mutating func repeatLast() {
    shown.last?.count += 1
  }
}
