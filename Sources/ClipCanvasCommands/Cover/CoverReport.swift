internal import BoardSupport
internal import Covers
internal import Files

/// The outcome of a clip as lines of text.
enum CoverReport {
  /// Prints an outcome, as a JSON object or as text; see ``print(_:onlyProblems:)``.
  static func print(_ outcome: CoverOutcome, asJSON: Bool, onlyProblems: Bool) {
    if asJSON {
      JSONReport.print(outcome)
    } else {
      print(outcome, onlyProblems: onlyProblems)
    }
  }

  /// Prints the result to standard output and problems to standard error.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the clip.
  ///   - onlyProblems: Whether to print problems only, because standard output is a picture.
  static func print(_ outcome: CoverOutcome, onlyProblems: Bool) {
    for warning in outcome.facts?.warnings ?? [] {
      StandardError.print("warning: \(outcome.clip.path): \(warning)\(percentHint(on: warning, for: outcome.request))")
    }
    if let problem = problem(of: outcome, command: CoverFailure.Command(outcome.request.kind)) {
      StandardError.print(problem)
    } else if !onlyProblems {
      Console.print(line(outcome))
    }
  }

  /// Returns the end of a warning about a number of seconds past the end of the clip that may be meant as a percentage;
  /// empty for other warnings.
  private static func percentHint(on warning: String, for request: CoverRequest) -> String {
    guard warning.hasPrefix("the clip ends before"), case .frame(at: .seconds(let seconds)) = request.time,
      seconds <= 100
    else { return "" }
    return "; did you mean --at \(DecimalText.of(seconds, places: 0...3))%?"
  }

  /// Returns the line for a clip without a cover; `nil` for a clip with a cover.
  static func problem(of outcome: CoverOutcome, command: CoverFailure.Command = .cover) -> String? {
    guard let failure = outcome.failure else { return nil }
    let tries = outcome.attempts > 1 ? " (tried \(outcome.attempts) times)" : ""
    return failure.line(for: outcome.clip.path, command: command) + tries
  }

  /// Returns the facts of an animation for a line: `30 frames, 3.0 s`, and the quality if it had to be lowered.
  private static func line(_ frames: CoverFacts.Frames, request: CoverRequest) -> [String] {
    let seconds = DecimalText.of(Double(frames.milliseconds) / 1000, places: 1)
    let facts = "\(frames.count) frame\(frames.count == 1 ? "" : "s"), \(seconds) s"
    return frames.quality == request.quality ? [facts] : [facts, "quality \(frames.quality)"]
  }

  /// Returns the line for a clip with a cover: `a.mp4 → a.mp4.png  480×853  0.000 s`.
  static func line(_ outcome: CoverOutcome) -> String {
    var parts = ["\(outcome.clip.path) → \(outcome.cover ?? "")"]
    if let size = outcome.coverSize {
      parts.append("\(size.width)×\(size.height)")
    }
    if let frames = outcome.facts?.frames {
      parts.append(contentsOf: line(frames, request: outcome.request))
    } else if let tiles = outcome.facts?.tiles {
      parts.append("\(tiles.times.count) frame\(tiles.times.count == 1 ? "" : "s")")
    } else if let facts = outcome.facts {
      parts.append(facts.actualTime.map { DecimalText.of($0, places: 3) + " s" } ?? "time unknown")
    }
    if outcome.status == .degraded {
      parts.append(CoverOutcome.Status.degraded.rawValue)
    }
    if outcome.isFresh {
      parts.append(CoverOutcome.Status.fresh.rawValue)
    }
    return parts.joined(separator: "  ")
  }
}

extension CoverFailure {
  /// The kind of command that reports a failure, which decides the advice it can give.
  enum Command {
    /// A command with picture options.
    case cover
    /// A command that makes contact sheets.
    case sheet
    /// A command that makes animations.
    case animation
    /// A command that makes storyboards.
    case storyboard
    /// A command without picture options, which may have `--force` and `--timeout`.
    case other

    /// The command for a kind of picture.
    init(_ kind: PictureKind) {
      switch kind {
      case .cover: self = .cover
      case .contactSheet: self = .sheet
      case .animation: self = .animation
      }
    }

    /// The options of a batch that makes the same pictures of the clips in a folder, after a space; `nil` without such
    /// a batch.
    fileprivate var options: String? {
      switch self {
      case .cover: ""
      case .sheet: " --no-cover --sheet"
      case .animation: " --no-cover --animate"
      case .storyboard: " --no-cover --storyboard"
      case .other: nil
      }
    }

    /// Whether the command has the options that an advice names.
    fileprivate func canFollow(_ advice: String) -> Bool {
      switch self {
      case .cover, .sheet, .animation: true
      case .storyboard, .other: !advice.replacing("--force", with: "").replacing("--timeout", with: "").contains("--")
      }
    }
  }

  /// Returns the line for a failure: `a.m4a: no video stream (2 audio streams); use a clip with video`.
  func line(for path: String, command: Command) -> String {
    if cause == .isFolder, let options = command.options {
      return "'\(path)' is a folder: use 'clipcanvas batch\(options) \(ShellText.quoted(path))'"
    }
    return switch cause {
    case .missing where path.contains(where: "*?[".contains): "no file matches '\(path)'"
    default: "\(path): \(explanation(for: command))"
    }
  }

  /// Returns the reason and, unless it names an option that the command does not have, the advice.
  func explanation(for command: Command) -> String {
    let advice = advice.flatMap { command.canFollow($0) ? $0 : nil }
    return message + (advice.map { "; \($0)" } ?? "")
  }
}
