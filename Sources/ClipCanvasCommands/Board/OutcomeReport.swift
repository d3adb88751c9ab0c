internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import SystemPackage

/// The outcome of an event, as lines of text or as JSON.
enum OutcomeReport {
  /// The words before an outcome.
  struct Wording {
    let changed: String
    let noop: String
    let refused: String

    /// The words for what happened.
    static let done = Wording(changed: "", noop: "nothing changed:", refused: "refused:")
    /// The words for what would happen.
    static let dry = Wording(changed: "would become ", noop: "would change nothing:", refused: "would be refused:")

    /// The words for what the current command does.
    static var current: Wording { DryRun.isActive ? dry : done }
  }

  /// Prints the outcome of an event.
  ///
  /// - Parameters:
  ///   - outcome: The outcome.
  ///   - event: The kind of the event; `nil` for several events.
  ///   - options: The options of the command: the board, and whether to print a JSON object.
  ///   - moved: The canvases that the event moved.
  ///   - refusal: Why the event was refused; `nil` for the general message of the reason.
  /// - Throws: An exit status if the event was refused.
  static func print(
    _ outcome: Outcome,
    of event: EventName?,
    with options: ChangeOptions,
    moved: Set<CanvasID> = [],
    refusal: String? = nil
  ) throws {
    let wording = Wording.current
    if options.json {
      Console.print(json: JSON(outcome).line)
    } else {
      switch outcome {
      case .changed(let revision, let changes):
        Console.print(
          lines: ["\(wording.changed)revision \(revision)"]
            + lines(changes.withPositions(moved: moved)).map { "  " + $0 }
        )
      case .noop(let reason): Console.print("\(wording.noop) \(reason.message(for: event, on: options.board.file))")
      case .refused(let reason):
        let message = refusal ?? reason.message(for: event, on: options.board.file)
        throw CommandError(.refused, "\(wording.refused) \(message)")
      }
    }
    if case .refused = outcome { throw CommandError(.refused) }
  }

  /// Returns a line for each change; one for all canvases that gave room to others or got some.
  static func lines(_ changes: [Change]) -> [String] {
    let laidOut = changes.filter(isNewRegion)
    guard laidOut.count > 1 else { return changes.map(line) }
    return changes.filter { !isNewRegion($0) }.map(line) + ["\(laidOut.count) canvases form a new grid"]
  }

  private static func isNewRegion(_ change: Change) -> Bool {
    if case (.region, .region) = (change.old, change.new) { true } else { false }
  }

  /// Returns the line for a change, such as `c1 selected` or `c1 clip: none → a.mp4`.
  private static func line(_ change: Change) -> String {
    if case (.take(let old), .take(let new)) = (change.old, change.new), old.id == new.id {
      return "\(change.key.rawValue) \(DisplayName.of(new.id.description)): " + text(from: old, to: new)
    }
    let subject = change.canvas.map { "\(DisplayName.of($0)) " } ?? ""
    if let words = words(for: change) { return subject + words }
    if case (.clip(let old), .clip(let new)) = (change.old, change.new), old.file == new.file, old.trim != new.trim {
      return "\(subject)plays \(new.trim?.text ?? "the whole clip")"
    }
    return "\(subject)\(change.key.rawValue): \(text(change.old)) → \(text(change.new))"
  }

  /// Returns what happened to a canvas that stays on the board, such as `selected`; `nil` for
  /// changes without such words.
  private static func words(for change: Change) -> String? {
    switch (change.old, change.new) {
    case (.isSelected, .isSelected(let isSelected)): isSelected ? "selected" : "deselected"
    case (.status, .status(.recording)): "recording started"
    case (.status(.recording), .status(.inPreview)): "recording ended, preview started"
    case (.status(.recording), .status): "recording ended"
    case (.status, .status(.inPreview)): "preview started"
    case (.status(.inPreview), .status): "preview ended"
    case (.none, .keptTake(let take)): "keeps the take \(take.text)"
    case (.keptTake(let take), .none): "take \(take.text) taken out"
    default: nil
    }
  }

  /// Returns a short text for a value.
  static func text(_ value: Value) -> String {
    switch value {
    case .none: "none"
    case .isSelected(let isSelected): isSelected ? "yes" : "no"
    case .status(let status): status.rawValue
    case .clip(let clip): DisplayName.of(clip.file.path) + (clip.trim.map { " \($0.text)" } ?? "")
    case .cover(.ready(let file)): "ready, \(DisplayName.of(file.path))"
    case .cover(.failed(let reason)): "failed, \(DisplayName.of(reason))"
    case .cover(let cover): cover.name.rawValue
    case .keptTake(let take): take.text
    case .region(let region):
      "\(share(region.width)) × \(share(region.height)) at \(share(region.x)), \(share(region.y))"
    case .position(let index): "\(index)"
    case .canvases(let ids): ids.map(DisplayName.of).joined(separator: " ")
    case .take(let take): text(take)
    case .session(let session): session.rawValue
    }
  }

  /// Returns a share of the board's width or height with at most three decimal places: `0.5`, `0.333`.
  private static func share(_ value: Double) -> String {
    DecimalText.of(value, places: 1...3)
  }

  /// Returns what changed in a take, such as `segment 1 ended after 65.0 s`.
  private static func text(from old: Take, to new: Take) -> String {
    var parts: [String] = []
    for (index, segment) in new.segments.enumerated() {
      let before = old.segments.indices.contains(index) ? old.segments[index] : nil
      if before == nil { parts.append("segment \(index + 1) started") }
      guard let end = segment.end, before?.end == nil else { continue }
      let seconds = end.secondsSince1970 - segment.start.secondsSince1970
      parts.append("segment \(index + 1) ended after \(DecimalText.of(seconds, places: 1)) s")
    }
    if old.interruption != new.interruption {
      parts.append(new.interruption.map { "interrupted: \(DisplayName.of($0))" } ?? "no longer interrupted")
    }
    if old.owner != new.owner {
      parts.append("owner \(old.owner.map(text) ?? "none") → \(new.owner.map(text) ?? "none")")
    }
    return parts.isEmpty ? "\(text(old)) → \(text(new))" : parts.joined(separator: ", ")
  }

  private static func text(_ owner: Take.Owner) -> String { "process \(owner.processID)" }

  private static func text(_ take: Take) -> String {
    let end = take.interruption.map { "interrupted: \(DisplayName.of($0))" }
    let segments = "\(take.segments.count) \(take.segments.count == 1 ? "segment" : "segments")"
    return ["\(DisplayName.of(take.id.description)) on \(DisplayName.of(take.canvas))", segments, end].compactMap(
      \.self
    )
    .joined(separator: ", ")
  }
}

extension KeptTake {
  /// The take's number and file, such as `3 (board.clips/c1-take-2.webm)`.
  fileprivate var text: String { "\(clip.generation) (\(DisplayName.of(clip.file.path)))" }
}
