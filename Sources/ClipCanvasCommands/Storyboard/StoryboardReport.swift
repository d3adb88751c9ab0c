internal import BoardSupport
internal import Covers
internal import Files

/// The outcome of a storyboard as lines of text.
enum StoryboardReport {
  /// Prints the result to standard output and problems to standard error.
  static func print(_ outcome: StoryboardOutcome) {
    for warning in outcome.content?.warnings ?? [] {
      StandardError.print("warning: \(outcome.clip.path): \(warning)")
    }
    if let problem = problem(of: outcome) {
      StandardError.print(problem)
    } else if let line = line(outcome) {
      Console.print(line)
    }
  }

  /// Returns the line for a clip without a storyboard; `nil` for a clip with one.
  static func problem(of outcome: StoryboardOutcome) -> String? {
    let tries = outcome.attempts > 1 ? " (tried \(outcome.attempts) times)" : ""
    return outcome.failure.map { $0.line(for: outcome.clip.path, command: .storyboard) + tries }
  }

  /// Returns the line for a clip with a storyboard: `a.mp4 → a.mp4.storyboard  1 sheet, 43 tiles of 320×180`.
  static func line(_ outcome: StoryboardOutcome) -> String? {
    guard let content = outcome.content else { return nil }
    func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    let size = "\(content.tileWidth)×\(content.tileHeight)"
    var parts = [
      "\(outcome.clip.path) → \(outcome.storyboard ?? "")",
      "\(count(content.sheets, "sheet")), \(count(content.tiles, "tile")) of \(size)",
    ]
    if outcome.status == .degraded { parts.append(StoryboardOutcome.Status.degraded.rawValue) }
    if outcome.isFresh { parts.append(StoryboardOutcome.Status.fresh.rawValue) }
    return parts.joined(separator: "  ")
  }
}
