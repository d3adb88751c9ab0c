internal import BoardSupport
internal import Covers
internal import Files
internal import SystemPackage

/// The line that shows the progress of a batch in the last row of the terminal.
struct ProgressLine {
  /// The number of clips, once known.
  var total: Int?
  /// Whether there is nothing to do, so that nothing is shown.
  var isIdle = false
  /// What a clip with a problem is without.
  var missing = "a cover"
  private var done = 0
  private var problems = 0
  private var inWork: FilePath?
  private var line = StatusLine()
  private var lastDrawing: ContinuousClock.Instant
  private let start: ContinuousClock.Instant

  private static let shortestPause = Duration.milliseconds(100)

  init(start: ContinuousClock.Instant) {
    self.start = start
    lastDrawing = start
  }

  mutating func begin(_ clip: FilePath) {
    inWork = clip
    isIdle = false
    drawIfDue()
  }

  mutating func end(isProblem: Bool) {
    done += 1
    problems += isProblem ? 1 : 0
    drawIfDue()
  }

  private mutating func drawIfDue() {
    guard lastDrawing.duration(to: .now) >= Self.shortestPause else { return }
    draw()
  }

  mutating func draw() {
    guard !isIdle else { return }
    lastDrawing = .now
    line.show(text)
  }

  /// Erases the line, so that other output can be written.
  mutating func clear() { line.clear() }

  private var text: String {
    let seconds = start.duration(to: .now) / .seconds(1)
    let rate = seconds > 0 ? Double(done) / seconds : 0
    var parts = [total.map { "\(done)/\(max($0, done))" } ?? "\(done)", "\(DecimalText.of(rate, places: 0)) a second"]
    if let total, rate > 0 { parts.append("\(Self.clock(Double(max(total - done, 0)) / rate)) left") }
    if problems > 0 { parts.append("\(problems) without \(missing)") }
    if let inWork { parts.append(inWork.displayText) }
    return parts.joined(separator: " · ")
  }

  /// Returns a time such as `0:07`, `12:40` or `3:05:00`.
  private static func clock(_ seconds: Double) -> String {
    let seconds = Int(exactly: seconds.rounded(.up)) ?? 0
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}
