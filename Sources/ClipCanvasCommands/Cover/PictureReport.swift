internal import BoardSupport
internal import Covers
internal import Files

/// The outcome of a picture of a clip as lines of text.
enum PictureReport {
  /// Prints an outcome, as a JSON object or as text; see ``print(_:onlyProblems:)``.
  static func print(_ outcome: PictureOutcome, asJSON: Bool, onlyProblems: Bool = false) {
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
  static func print(_ outcome: PictureOutcome, onlyProblems: Bool) {
    for warning in outcome.warnings {
      StandardError.print("warning: \(outcome.clip.path): \(warning)\(percentHint(on: warning, for: outcome.request))")
    }
    if let problem = problem(of: outcome, after: outcome.kind) {
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

  /// Returns the line for a clip without a picture; `nil` for a clip with a picture.
  ///
  /// - Parameter command: The kind of picture that the command makes; `nil` for a command without picture options.
  static func problem(of outcome: PictureOutcome, after command: PictureKind?) -> String? {
    guard let failure = outcome.failure else { return nil }
    let tries = outcome.attempts > 1 ? " (tried \(outcome.attempts) times)" : ""
    return failure.line(for: outcome.clip.path, after: command) + tries
  }

  /// Returns the facts of an animation for a line: `30 frames, 3.0 s`, and the quality if it had to be lowered.
  private static func line(_ frames: CoverFacts.Frames, request: CoverRequest) -> [String] {
    let seconds = DecimalText.of(Double(frames.milliseconds) / 1000, places: 1)
    let facts = "\(count(frames.count, "frame")), \(seconds) s"
    return frames.quality == request.quality ? [facts] : [facts, "quality \(frames.quality)"]
  }

  /// Returns the facts of a storyboard for a line: `1 sheet, 43 tiles of 320×180`.
  private static func line(_ storyboard: PictureOutcome.Storyboard) -> String {
    let tiles = count(storyboard.tiles, "tile")
    return "\(count(storyboard.sheets, "sheet")), \(tiles) of \(storyboard.tileWidth)×\(storyboard.tileHeight)"
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// Returns the line for a clip with a picture: `a.mp4 → a.mp4.png  480×853  0.000 s`.
  static func line(_ outcome: PictureOutcome) -> String {
    var parts = ["\(outcome.clip.path) → \(outcome.path ?? "")"]
    if let size = outcome.size {
      parts.append("\(size.width)×\(size.height)")
    }
    if let storyboard = outcome.storyboard {
      parts.append(line(storyboard))
    } else if let frames = outcome.facts?.frames {
      parts.append(contentsOf: line(frames, request: outcome.request))
    } else if let tiles = outcome.facts?.tiles {
      parts.append(count(tiles.times.count, "frame"))
    } else if let facts = outcome.facts {
      parts.append(facts.actualTime.map { DecimalText.of($0, places: 3) + " s" } ?? "time unknown")
    }
    if outcome.status == .degraded {
      parts.append(PictureOutcome.Status.degraded.rawValue)
    }
    if outcome.isFresh {
      parts.append(PictureOutcome.Status.fresh.rawValue)
    }
    return parts.joined(separator: "  ")
  }
}

extension PictureKind {
  /// The options of a batch that makes the same pictures of the clips in a folder, after a space.
  fileprivate var batchOptions: String {
    switch self {
    case .cover: ""
    case .contactSheet: " --no-cover --sheet"
    case .animation: " --no-cover --animate"
    case .storyboard: " --no-cover --storyboard"
    }
  }
}

extension CoverFailure {
  /// Returns the line for a failure: `a.m4a: no video stream (2 audio streams); use a clip with video`.
  ///
  /// - Parameters:
  ///   - path: The path of the clip.
  ///   - command: The kind of picture that the command makes, which decides the advice it can give; `nil` for a command
  ///     without picture options.
  func line(for path: String, after command: PictureKind?) -> String {
    if cause == .isFolder, let command {
      return "'\(path)' is a folder: use 'clipcanvas batch\(command.batchOptions) \(ShellText.quoted(path))'"
    }
    return switch cause {
    case .missing where path.contains(where: "*?[".contains): "no file matches '\(path)'"
    default: "\(path): \(explanation(after: command))"
    }
  }

  /// Returns the reason and, unless it names an option that the command does not have, the advice.
  func explanation(after command: PictureKind?) -> String {
    message + (advice.flatMap { Self.names($0, optionOf: command) ? "; \($0)" : nil } ?? "")
  }

  /// Whether a command has the options that an advice names; all may have `--force` and `--timeout`.
  private static func names(_ advice: String, optionOf command: PictureKind?) -> Bool {
    switch command {
    case .cover, .contactSheet, .animation: true
    case .storyboard, nil: !advice.replacing("--force", with: "").replacing("--timeout", with: "").contains("--")
    }
  }
}
