internal import Covers

/// The frame of a clip that an image shows.
public enum ClipTime: Sendable, Hashable, CustomStringConvertible {
  /// The frame that is presented first.
  case first
  /// The frame that is the best picture of the clip: bright enough, sharp and not plain.
  case best
  /// The frame that is presented a number of seconds after the start, from 0 to less than a hundred years.
  case seconds(Double)
  /// The frame that is presented at a percentage of the duration, within 0…100.
  case percent(Double)
  /// The last key frame that is presented at or before a number of seconds after the start, which is found without
  /// decoding the frames between them.
  case keyFrame(before: Double)

  /// The time as the command line writes it, such as `first`, `12.5` or `50.0%`.
  public var description: String { requested.description }

  var requested: RequestedTime {
    switch self {
    case .first: .first
    case .best: .best
    case .seconds(let seconds): .seconds(seconds)
    case .percent(let share): .percent(share)
    case .keyFrame(let seconds): .keyFrame(before: .seconds(seconds))
    }
  }

  /// Whether the number is in its range.
  var isValid: Bool {
    switch self {
    case .first, .best: true
    case .seconds(let seconds), .keyFrame(let seconds): RequestedTime.Position.secondsRange.contains(seconds)
    case .percent(let share): (0...100).contains(share)
    }
  }
}
