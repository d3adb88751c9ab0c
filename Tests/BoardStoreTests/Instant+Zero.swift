import CanvasModel

extension Instant {
  static var zero: Instant {
    Instant(secondsSince1970: 0) ?? { preconditionFailure("zero is a number") }()
  }
}
