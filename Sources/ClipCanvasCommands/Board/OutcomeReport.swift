internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Covers
internal import SystemPackage

/// The outcome of an event, as lines of text or as JSON.
enum OutcomeReport {
  /// Prints the outcome of an event.
  ///
  /// - Throws: An exit status if the event was refused.
  static func print(_ outcome: Outcome, asJSON: Bool) throws {
    if asJSON {
      Console.print(json: JSON(outcome).line)
    } else {
      switch outcome {
      case .changed(let revision, let changes):
        Console.print(lines: ["revision \(revision)"] + changes.map { "  " + line($0) })
      case .noop(let reason): Console.print("nothing to do: \(reason.rawValue) (\(reason.message))")
      case .refused(let reason):
        throw CommandError(.refused, "refused: \(reason.rawValue) (\(reason.message))")
      }
    }
    if case .refused = outcome { throw CommandError(.refused) }
  }

  /// Returns the line for a change, such as `c1 status: noPreview → inPreview`.
  static func line(_ change: Change) -> String {
    let subject = change.canvas.map { "\(DisplayName.of($0)) " } ?? ""
    return "\(subject)\(change.key.rawValue): \(text(change.old)) → \(text(change.new))"
  }

  /// Returns a short text for a value.
  static func text(_ value: Value) -> String {
    switch value {
    case .none: "none"
    case .isSelected(let isSelected): isSelected ? "yes" : "no"
    case .status(let status): status.rawValue
    case .clip(let clip): DisplayName.of(clip.file.path)
    case .cover(.ready(let file)): "ready, \(DisplayName.of(file.path))"
    case .cover(.failed(let reason)): "failed, \(DisplayName.of(reason))"
    case .cover(let cover): cover.name.rawValue
    case .region(let region): "\(region.width) × \(region.height) at \(region.x), \(region.y)"
    case .canvases(let ids): ids.map(DisplayName.of).joined(separator: " ")
    case .take(let take): text(take)
    case .session(let session): session.rawValue
    }
  }

  private static func text(_ take: Take) -> String {
    let end = take.interruption.map { "interrupted: \(DisplayName.of($0))" }
    let segments = "\(take.segments.count) \(take.segments.count == 1 ? "segment" : "segments")"
    return ["\(DisplayName.of(take.id.description)) on \(DisplayName.of(take.canvas))", segments, end].compactMap(
      \.self
    )
    .joined(separator: ", ")
  }
}
