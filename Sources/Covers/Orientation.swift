/// How a stored frame must be turned to stand upright: one of the eight symmetries of a rectangle.
///
/// First x and y are swapped if ``transposes``, then left and right are exchanged if ``mirrorsX`` and top and bottom
/// if ``mirrorsY``.
public struct Orientation: Hashable, Sendable {
  /// Whether x and y are swapped first.
  public var transposes: Bool
  /// Whether left and right are exchanged then.
  public var mirrorsX: Bool
  /// Whether top and bottom are exchanged then.
  public var mirrorsY: Bool

  /// Makes one of its parts.
  public init(transposes: Bool = false, mirrorsX: Bool = false, mirrorsY: Bool = false) {
    self.transposes = transposes
    self.mirrorsX = mirrorsX
    self.mirrorsY = mirrorsY
  }

  /// Nothing to turn.
  public static let upright = Orientation()

  /// Whether the picture is a mirror image: it is exchanged left to right before it is turned by ``rotation``.
  public var isMirrored: Bool { (transposes != mirrorsX) != mirrorsY }

  /// Degrees clockwise: 0, 90, 180 or 270.
  public var rotation: Int {
    switch (transposes, mirrorsY) {
    case (false, let upsideDown): upsideDown ? 180 : 0
    case (true, let upsideDown): isMirrored == upsideDown ? 90 : 270
    }
  }
}
