internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files

/// Runs an order to copy clips, and prints its progress and its outcome.
enum RemuxReport {
  /// Copies the clips and prints the outcome.
  ///
  /// - Throws: `CommandError` if the video was not written; `ServiceError` if a program cannot be started.
  static func run(_ order: RemuxOrder, with service: VideoService, asJSON: Bool) async throws {
    let outcome = try await outcome(of: order, with: service)
    if asJSON {
      JSONReport.print(outcome)
    } else {
      print(outcome)
    }
    guard case .success = outcome.result else { throw CommandError(.someFailed) }
  }

  /// Copies the clips, and shows the progress if standard error is a terminal.
  static func outcome(of order: RemuxOrder, with service: VideoService) async throws -> RemuxOutcome {
    let start = ContinuousClock.now
    var line = StatusLine()
    defer { line.clear() }
    return try await service.remux(order) { progress in
      guard StatusLine.isPossible else { return }
      line.show(text(of: progress, after: .now - start))
    }
  }

  /// Returns the progress for people: `350 of 1024 MB, 210 MB/s, 3 s left`.
  static func text(of progress: RemuxProgress, after time: Duration) -> String {
    let megabytes = Double(progress.bytes) / 1_000_000
    let total = Double(progress.totalBytes) / 1_000_000
    let speed = megabytes / max(time / .seconds(1), 0.001)
    let left = (total - megabytes) / max(speed, 0.001)
    let numbers = [megabytes, total, speed, left].map { DecimalText.of($0, places: 0) }
    return "\(numbers[0]) of \(numbers[1]) MB, \(numbers[2]) MB/s, \(numbers[3]) s left"
  }

  private static func print(_ outcome: RemuxOutcome) {
    switch outcome.result {
    case .success(let facts):
      printWarnings(about: facts.parts, of: outcome.clips)
      Console.print(line(outcome, facts))
      if let cut = facts.cut { Console.print(line(cut)) }
    case .failure(let failure):
      StandardError.print(failure.line(for: outcome.failedClip ?? outcome.clips[0], after: nil))
    }
  }

  /// Prints what a reader should know about the clips that were copied.
  static func printWarnings(about parts: [RemuxFacts.Part], of clips: [String]) {
    for (clip, part) in zip(clips, parts) {
      for warning in warnings(part) { StandardError.print("warning: \(clip): \(warning)") }
    }
  }

  /// Returns what a reader should know about a part that was copied.
  private static func warnings(_ part: RemuxFacts.Part) -> [String] {
    var warnings: [String] = []
    func text(_ seconds: Double) -> String { "\(DecimalText.of(seconds, places: 1)) s" }
    if part.endedEarly {
      warnings.append("it is cut off or damaged after \(text(part.durationSeconds)), and was copied up to that point")
    } else if let place = part.damagedAtSeconds {
      warnings.append("it is damaged, first at \(text(place)), and the unreadable parts are missing")
    }
    if let place = part.movedAtSeconds {
      warnings.append("its timestamps go back, first at \(text(place)), and were shifted; check the copy there")
    }
    if part.packetsLost > 0 {
      let noun = part.packetsLost == 1 ? "packet was" : "packets were"
      warnings.append("\(part.packetsLost) \(noun) left out because of that")
    }
    if part.streamsLeftOut > 0 {
      let noun = part.streamsLeftOut == 1 ? "stream was" : "streams were"
      warnings.append("\(part.streamsLeftOut) \(noun) left out: empty, found too late, or of a kind that is not copied")
    }
    return warnings
  }

  /// Returns the line for a part: `from 12 s (13.5 s wanted, a key frame) to 20.04 s (20 s wanted)`.
  static func line(_ cut: RemuxFacts.Cut) -> String {
    func text(_ seconds: Double) -> String { "\(DecimalText.of(seconds, places: 0...3)) s" }
    func note(_ wanted: Double?, _ actual: Double, _ more: String?) -> String {
      let differs = wanted.flatMap { text($0) == text(actual) ? nil : "\(text($0)) wanted" }
      let notes = [differs, more].compactMap(\.self)
      return notes.isEmpty ? text(actual) : "\(text(actual)) (\(notes.joined(separator: ", ")))"
    }
    let key = cut.keyFrameSeconds
    let isHidden = text(key) != text(cut.startSeconds)
    let from = note(
      cut.fromSeconds,
      cut.startSeconds,
      isHidden ? "decoded from the key frame at \(text(key))" : key > 0 ? "a key frame" : nil
    )
    return "from \(from) to \(note(cut.toSeconds, cut.endSeconds, nil))"
  }

  /// Returns the line for a video: `a.webm → a.mkv  12.3 s, 1 video stream, 1 audio stream, 3.2 MB`.
  static func line(_ outcome: RemuxOutcome, _ facts: RemuxFacts) -> String {
    let clips = outcome.clips.count == 1 ? outcome.clips[0] : "\(outcome.clips.count) clips"
    func count(_ number: Int, _ noun: String) -> String? {
      number == 0 ? nil : "\(number) \(noun) stream\(number == 1 ? "" : "s")"
    }
    let streams = [
      count(facts.videoStreams, "video"), count(facts.audioStreams, "audio"),
      count(facts.subtitleStreams, "subtitle"),
    ]
    let duration = DecimalText.of(facts.durationSeconds, places: 1)
    let parts = ["\(duration) s", streams.compactMap { $0 }.joined(separator: ", "), FactText.bytes(facts.bytes)]
    return "\(clips) → \(outcome.output)  \(parts.joined(separator: ", "))"
  }
}
