import CanvasModel

let c1 = CanvasID(number: 1)
let c2 = CanvasID(number: 2)
let c3 = CanvasID(number: 3)
let c4 = CanvasID(number: 4)
/// A canvas that is not on any board.
let stranger = CanvasID(number: 99)

/// Values for the boards and events of the tests.
enum Parts {
  static func take(_ number: Int) -> TakeID {
    guard let take = TakeID("t\(number)") else { preconditionFailure("a take has a name") }
    return take
  }

  static func clip(_ name: String, seconds: Double? = nil) -> ClipFile {
    guard let file = ClipFile(path: "\(name).mp4", durationSeconds: seconds) else {
      preconditionFailure("a clip has a path")
    }
    return file
  }

  static func trim(_ from: Double, _ to: Double? = nil) -> Trim {
    guard let trim = Trim(from: from, to: to) else { preconditionFailure("a part is not empty") }
    return trim
  }

  static func cover(_ name: String) -> CoverFile {
    guard let file = CoverFile(path: "\(name).png") else { preconditionFailure("a cover has a path") }
    return file
  }

  static func at(_ seconds: Double) -> Instant {
    guard let instant = Instant(secondsSince1970: seconds) else { preconditionFailure("a time is a number") }
    return instant
  }
}

extension Board {
  /// Applies events one by one, a second apart.
  @discardableResult
  mutating func send(_ events: Event...) -> [Outcome] { send(events) }

  @discardableResult
  mutating func send(_ events: [Event]) -> [Outcome] {
    events.enumerated().map { apply($1, at: Parts.at(Double(revision * 10 + $0))) }
  }

  /// Applies events as one transaction.
  @discardableResult
  mutating func sendTogether(_ events: Event...) -> (outcome: Outcome, index: Int?) { sendTogether(events) }

  @discardableResult
  mutating func sendTogether(_ events: [Event]) -> (outcome: Outcome, index: Int?) {
    apply(events.map { ($0, Parts.at(Double(revision))) })
  }

  func generation(of canvas: CanvasID) -> Int { self[canvas]?.clip?.generation ?? -1 }

  func takes(of canvas: CanvasID) -> [String] { self[canvas]?.takes.map(\.clip.file.path) ?? [] }

  func path(of canvas: CanvasID) -> String? { self[canvas]?.clip?.file.path }

  func cover(of canvas: CanvasID) -> Cover? { self[canvas]?.cover }
}

extension Outcome {
  var isChanged: Bool {
    switch self {
    case .changed: true
    case .noop, .refused: false
    }
  }

  var changes: [Change] {
    switch self {
    case .changed(_, let changes): changes
    case .noop, .refused: []
    }
  }
}
