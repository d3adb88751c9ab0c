internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// Writes a batch's lines, JSON, progress line, report, gallery and summary.
struct BatchOutput: ~Copyable {
  var progress: ProgressLine?
  /// Whether the batch makes covers.
  var makesCovers = true
  /// Whether the batch follows links.
  var followsLinks = false
  /// Whether known failures can be retried with an option.
  var offersRetry = true
  let options: BatchOutputOptions
  private let printsCovers: Bool
  private let shard: ReportedShard?
  private var reportFile: ReportFile?
  var gallery: GalleryFile?
  private var problems = ProblemList()
  /// The number of known failures, which are not printed one by one.
  private(set) var knownFailures = 0
  private var blackCovers = BlackCovers()
  private let start = ContinuousClock.now
  /// Starts another page of the gallery.
  let openGallery: () throws -> GalleryFile?
  /// Whether all clips have been reported once, so that only changes are reported from now on.
  var reportsChanges = false

  var showsProgress: Bool { progress != nil }

  /// - Throws: An exit status if the report or the gallery cannot be opened.
  init(
    _ options: BatchOutputOptions,
    title: String,
    shard: ReportedShard?,
    isForced: Bool,
    sparing inputs: [FileIdentity: String]
  ) throws {
    let openGallery = {
      try options.gallery.map { try GalleryFile(at: $0.path, title: title, isForced: isForced, sparing: inputs) }
    }
    let report = try options.reportFile.map {
      // Several shards have a folder for their reports.
      if shard != nil { try ReportFile.makeFolder(for: $0) }
      return try ReportFile(at: $0, appearsComplete: shard != nil, isForced: isForced, sparing: inputs)
    }
    self.init(options, shard: shard, report: report, gallery: try openGallery(), openGallery: openGallery)
  }

  private init(
    _ options: BatchOutputOptions,
    shard: ReportedShard?,
    report: consuming ReportFile?,
    gallery: consuming GalleryFile?,
    openGallery: @escaping () throws -> GalleryFile?
  ) {
    (self.options, self.shard, self.openGallery) = (options, shard, openGallery)
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
    case .ended(let outcome), .madeExtra(let outcome): report(outcome)
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
      progress?.end(isProblem: result.isProblem && result.cover?.outcome.isKnown != true)
    }
  }

  /// Records and prints what was done, or would be, with a picture.
  private mutating func note(_ picture: some Encodable, line: String) {
    record(picture)
    guard !options.printsJSON, !options.quiet else { return }
    progress?.clear()
    Console.print(line)
  }

  /// Records and prints an outcome.
  private mutating func report(_ outcome: PictureOutcome) {
    knownFailures += outcome.isKnown ? 1 : 0
    blackCovers.count(outcome)
    let isSettled = outcome.isFresh || outcome.isKnown
    guard !(reportsChanges && isSettled) else { return }
    record(outcome)
    guard !options.printsJSON, outcome.status != .fresh, !outcome.isKnown else { return }
    for warning in outcome.warnings { complain("warning: \(outcome.clip.path): \(warning)", alwaysNow: true) }
    // A batch has the picture options of covers, but for a storyboard, no advice names them.
    let command = outcome.kind == .storyboard ? outcome.kind : .cover
    if let failure = outcome.failure, let problem = PictureReport.problem(of: outcome, after: command) {
      complain(problem, alwaysNow: false)
      problems.add(
        outcome.kind == .storyboard ? problem : "\(outcome.clip.path): \(failure.explanation(after: command))"
      )
    } else if printsCovers, !outcome.isFresh {
      progress?.clear()
      Console.print(PictureReport.line(outcome))
    }
  }

  private mutating func record(_ value: some Encodable) {
    guard options.printsJSON || reportFile != nil else { return }
    let line = JSONReport.line(value)
    reportFile?.write(line)
    guard options.printsJSON else { return }
    progress?.clear()
    Console.print(verbatim: line)
  }

  /// Prints a problem.
  ///
  /// On a terminal, the problems are listed before the summary, so only those with `alwaysNow` are
  /// printed when they occur.
  mutating func complain(_ line: String, alwaysNow: Bool) {
    guard progress == nil || alwaysNow else { return }
    progress?.clear()
    StandardError.print(line)
  }

  mutating func finish(_ summary: BatchSummary, isInterrupted: Bool) throws {
    progress?.clear()
    let isOnTerminal = showsProgress
    progress = nil
    // The page of a search that was interrupted would replace a complete one.
    if reportsChanges { _ = gallery.take() }
    let seconds = start.duration(to: .now) / .seconds(1)
    let shard = shard?.ending()
    record(SummaryRecord(summary: .init(summary, seconds: seconds, isInterrupted: isInterrupted, shard: shard)))
    try reportFile.take()?.close(isComplete: !isInterrupted)
    try gallery.take()?.finish(isInterrupted: isInterrupted)
    guard !options.printsJSON else { return }
    if isOnTerminal { problems.print(option: "--report") }
    if !options.quiet, let advice = blackCovers.advice { StandardError.print(advice) }
    if !options.quiet, !options.usesStandardOutput {
      Console.print(
        summary.planned == nil
          ? summary.line(
            ofCovers: makesCovers,
            seconds: seconds,
            isInterrupted: isInterrupted,
            followsLinks: followsLinks,
            offersRetry: offersRetry
          )
          : summary.dryLine(seconds: seconds)
      )
    }
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
