/// The transformation that makes a stored frame upright: one of the eight symmetries of a rectangle.
///
/// First x and y are swapped if ``transposes`` is set; then left and right are swapped if ``mirrorsX`` is set, and top
/// and bottom if ``mirrorsY`` is set.
package struct Orientation: Hashable, Sendable {
  /// Whether x and y are swapped first.
  package var transposes: Bool
  /// Whether left and right are then swapped.
  package var mirrorsX: Bool
  /// Whether top and bottom are then swapped.
  package var mirrorsY: Bool

  /// Creates an orientation (default: upright).
  package init(transposes: Bool = false, mirrorsX: Bool = false, mirrorsY: Bool = false) {
    self.transposes = transposes
    self.mirrorsX = mirrorsX
    self.mirrorsY = mirrorsY
  }

  /// The orientation of a frame that is already upright.
  package static let upright = Orientation()

  /// Whether the picture is mirrored left to right before it is rotated by ``rotation``.
  package var isMirrored: Bool { (transposes != mirrorsX) != mirrorsY }

  /// The clockwise rotation in degrees: 0, 90, 180 or 270.
  package var rotation: Int {
    switch (transposes, mirrorsY) {
    case (false, let upsideDown): upsideDown ? 180 : 0
    case (true, let upsideDown): isMirrored == upsideDown ? 90 : 270
    }
  }
}
