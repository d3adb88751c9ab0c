internal import ArgumentParser
internal import BoardText
internal import CoverService
internal import Covers
internal import Files
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Reports the progress and the results of a batch, with a ``BatchOutput`` that it protects from concurrent use.
final class BatchReporter: Sendable {
  private let output: Mutex<BatchOutput>
  private let counting: Task<Int?, Never>?

  /// - Throws: An exit status if the report or the gallery cannot be opened.
  init(
    _ options: BatchOutputOptions,
    clips: ClipSelection,
    shard: ReportedShard?,
    makesCovers: Bool,
    isForced: Bool
  ) throws {
    var output = try BatchOutput(options, title: clips.title, shard: shard, isForced: isForced, sparing: clips.inputs)
    output.makesCovers = makesCovers
    counting = output.showsProgress ? Task(priority: .low) { await clips.count() } : nil
    self.output = Mutex(output)
  }

  /// Updates the progress line periodically.
  func startClock() -> Task<Void, Never> {
    Task {
      if let total = await counting?.value { output.withLock { $0.progress?.total = total } }
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(500))
        output.withLock { $0.progress?.draw() }
      }
    }
  }

  /// Reports an event.
  func report(_ event: BatchEvent) { output.withLock { $0.report(event) } }

  /// Reports the end of the batch.
  func finish(_ summary: BatchSummary, isInterrupted: Bool) throws {
    counting?.cancel()
    try output.withLock { try $0.finish(summary, isInterrupted: isInterrupted) }
  }
}

extension ClipSelection {
  /// The title of the gallery: the names of the given folders and clips.
  fileprivate var title: String {
    paths.isEmpty
      ? "Covers"
      : paths.map { $0.lastComponent.map { FilePath(root: nil, [$0]) } ?? $0 }
        .map(\.displayText).joined(separator: ", ")
  }

  /// The input files named on the command line, which no output may replace.
  fileprivate var inputs: [FileIdentity: String] {
    var inputs: [FileIdentity: String] = [:]
    for path in paths { if let clip = FileIdentity(of: path) { inputs[clip] = "a clip of this run" } }
    if let list, list != "-", let identity = FileIdentity(of: list) { inputs[identity] = "the list of clips" }
    return inputs
  }
}

/// Writes a batch's lines, JSON, progress line, report, gallery and summary.
private struct BatchOutput: ~Copyable {
  var progress: ProgressLine?
  /// Whether the batch makes covers.
  var makesCovers = true
  private let options: BatchOutputOptions
  private let printsCovers: Bool
  private let shard: ReportedShard?
  private var reportFile: ReportFile?
  private var gallery: GalleryFile?
  private var problems = ProblemList()
  private let start = ContinuousClock.now

  var showsProgress: Bool { progress != nil }

  /// - Throws: An exit status if the report or the gallery cannot be opened.
  init(
    _ options: BatchOutputOptions,
    title: String,
    shard: ReportedShard?,
    isForced: Bool,
    sparing inputs: [FileIdentity: String]
  ) throws {
    let gallery = try options.gallery.map {
      try GalleryFile(at: $0.path, title: title, isForced: isForced, sparing: inputs)
    }
    let report = try options.reportFile.map {
      try ReportFile(at: $0, appearsComplete: shard != nil, isForced: isForced, sparing: inputs)
    }
    self.init(options, shard: shard, report: report, gallery: gallery)
  }

  private init(
    _ options: BatchOutputOptions,
    shard: ReportedShard?,
    report: consuming ReportFile?,
    gallery: consuming GalleryFile?
  ) {
    (self.options, self.shard) = (options, shard)
    reportFile = report
    self.gallery = gallery
    let showsProgress = !options.quiet && StatusLine.isPossible
    // On a terminal, the progress line replaces the lines for each cover.
    printsCovers = !options.quiet && !options.usesStandardOutput && !(showsProgress && isatty(STDOUT_FILENO) == 1)
    progress = showsProgress ? ProgressLine(start: start) : nil
  }

  mutating func report(_ event: BatchEvent) {
    switch event {
    case .began(let clip): progress?.begin(clip)
    case .postponed(let clip, let failure):
      complain("\(clip.displayText): \(failure.message); will be tried again at the end", alwaysNow: true)
    case .wasNoClip: progress?.end(isProblem: false)
    case .ended(let outcome): report(outcome)
    case .madeStoryboard(let outcome): report(outcome)
    case .madeExtra(let outcome): report(outcome)
    case .planned(let picture):
      note(picture, line: "would make \(picture.path)\(picture.reason.note)")
    case .removed(let picture):
      note(picture, line: "\(picture.isPlanned ? "would remove" : "removed") \(picture.path)")
    case .keptPictures(let folder, let count):
      let name = folder.displayText
      complain(
        "\(name) has no clips, so \(count) \(count == 1 ? "picture is" : "pictures are") kept; check that its disk is mounted, "
          + "or remove them with --force",
        alwaysNow: true
      )
    case .finished(let result):
      gallery?.add(result)
      progress?.end(isProblem: result.isProblem)
    }
  }

  /// Records and prints what was done, or would be, with a picture.
  private mutating func note(_ picture: some Encodable, line: String) {
    record(picture)
    guard !options.printsJSON, !options.quiet else { return }
    progress?.clear()
    Console.print(line)
  }

  private mutating func report(_ outcome: StoryboardOutcome) {
    let problem = StoryboardReport.problem(of: outcome)
    report(
      outcome,
      isQuiet: outcome.status == .fresh,
      warnings: (outcome.content?.warnings ?? []).map { "\(outcome.clip.path): \($0)" },
      problem: problem.map { ($0, note: $0) },
      line: outcome.isFresh ? nil : StoryboardReport.line(outcome)
    )
  }

  private mutating func report(_ outcome: CoverOutcome) {
    let note = outcome.failure.map { "\(outcome.clip.path): \($0.explanation(for: .cover))" }
    report(
      outcome,
      isQuiet: outcome.status == .fresh,
      warnings: (outcome.facts?.warnings ?? []).map { "\(outcome.clip.path): \($0)" },
      problem: CoverReport.problem(of: outcome).map { ($0, note: note ?? $0) },
      line: outcome.isFresh ? nil : CoverReport.line(outcome)
    )
  }

  /// Records and prints an outcome.
  ///
  /// - Parameters:
  ///   - outcome: The outcome, for programs.
  ///   - isQuiet: Whether nothing was done and nothing is wrong.
  ///   - warnings: Warnings, each with the path of the clip.
  ///   - problem: Why no picture was made: the line to print now, and that of the summary.
  ///   - line: The line for a picture that was made.
  private mutating func report(
    _ outcome: some Encodable,
    isQuiet: Bool,
    warnings: [String],
    problem: (line: String, note: String)?,
    line: @autoclosure () -> String?
  ) {
    record(outcome)
    guard !options.printsJSON, !isQuiet else { return }
    for warning in warnings { complain("warning: \(warning)", alwaysNow: true) }
    if let problem {
      complain(problem.line, alwaysNow: false)
      problems.add(problem.note)
    } else if printsCovers, let line = line() {
      progress?.clear()
      Console.print(line)
    }
  }

  private mutating func record(_ value: some Encodable) {
    guard options.printsJSON || reportFile != nil, let line = JSONReport.line(value) else { return }
    reportFile?.write(line)
    guard options.printsJSON else { return }
    progress?.clear()
    Console.print(verbatim: line)
  }

  /// Prints a problem.
  ///
  /// On a terminal, the summary lists the problems, so only those with `alwaysNow` are printed when they occur.
  private mutating func complain(_ line: String, alwaysNow: Bool) {
    guard progress == nil || alwaysNow else { return }
    progress?.clear()
    StandardError.print(line)
  }

  mutating func finish(_ summary: BatchSummary, isInterrupted: Bool) throws {
    progress?.clear()
    let isOnTerminal = showsProgress
    progress = nil
    let seconds = start.duration(to: .now) / .seconds(1)
    let shard = shard?.ending()
    record(SummaryRecord(summary: .init(summary, seconds: seconds, isInterrupted: isInterrupted, shard: shard)))
    try reportFile.take()?.close(isComplete: !isInterrupted)
    try gallery.take()?.finish(isInterrupted: isInterrupted)
    guard !options.printsJSON else { return }
    if !options.quiet, !options.usesStandardOutput {
      Console.print(
        summary.planned == nil
          ? summary.line(ofCovers: makesCovers, seconds: seconds, isInterrupted: isInterrupted)
          : summary.dryLine(seconds: seconds)
      )
    }
    if isOnTerminal { problems.print(option: "--report") }
  }
}

extension PlannedPicture.Reason {
  /// The reason as text after the path; empty for the first picture.
  fileprivate var note: String {
    switch self {
    case .missing: ""
    case .clipChanged: ": the clip has changed"
    case .optionsChanged: ": made with other options"
    case .damaged: ": the file is damaged"
    case .forced: ": --force"
    }
  }
}
