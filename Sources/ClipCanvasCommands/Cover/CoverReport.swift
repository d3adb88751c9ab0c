internal import BoardText
internal import Covers

/// The outcome of a clip as lines of text.
enum CoverReport {
  /// Prints the result to standard output and problems to standard error.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the clip.
  ///   - onlyProblems: Whether to print problems only, because standard output is a picture.
  static func print(_ outcome: CoverOutcome, onlyProblems: Bool) {
    for warning in outcome.facts?.warnings ?? [] {
      Console.complain("warning: \(outcome.clip.path): \(warning)")
    }
    if let problem = problem(of: outcome) {
      Console.complain(problem)
    } else if !onlyProblems {
      Console.print(line(outcome))
    }
  }

  /// Returns the line for a clip without a cover; `nil` for a clip with a cover.
  static func problem(of outcome: CoverOutcome) -> String? {
    guard let failure = outcome.failure else { return nil }
    let tries = outcome.attempts > 1 ? " (tried \(outcome.attempts) times)" : ""
    return "cannot make a cover of \(outcome.clip.path)\(tries): \(failure.explanation)"
  }

  /// Returns the line for a clip with a cover: `a.mp4 → a.mp4.png  480×853  0.000 s`.
  static func line(_ outcome: CoverOutcome) -> String {
    var parts = ["\(outcome.clip.path) → \(outcome.cover ?? "")"]
    if let size = outcome.coverSize {
      parts.append("\(size.width)×\(size.height)")
    }
    if let facts = outcome.facts {
      parts.append(facts.actualTime.map { DecimalText.of($0, places: 3) + " s" } ?? "no time")
    }
    if outcome.status != .cover {
      parts.append(outcome.status.rawValue)
    }
    return parts.joined(separator: "  ")
  }
}

extension CoverFailure {
  /// The reason and the advice: `no video stream (2 audio streams); name a clip with a picture`.
  var explanation: String { message + (advice.map { "; \($0)" } ?? "") }
}
