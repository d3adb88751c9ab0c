internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files

/// The report of a whole batch, made of those of its shards.
struct MergedReport: ~Copyable {
  /// The destination of the records.
  enum Output: ~Copyable {
    case none
    case standardOutput
    case file(ReportFile)
  }

  private var output: Output
  private var counts = BatchSummary()
  private var seconds = 0.0
  private var problems = ProblemList()

  init(output: consuming Output) { self.output = output }

  var hasProblems: Bool { counts.hasProblems }

  /// Adds a report, line by line.
  ///
  /// - Throws: If it cannot be read, or contradicts its summary.
  mutating func add(_ report: ShardReport) throws(CommandError) {
    var lines = try RecordLines(at: report.path)
    var outcomes = 0
    while let line = try lines.next() {
      guard let record = try? CanonicalJSON.decode(ShardRecord.self, from: line), record.isComplete else {
        throw ShardReport.problem(report.path, "is damaged: line \(lines.number) is not a record")
      }
      if let summary = record.summary {
        guard try lines.next() == nil, summary.counts.outcomes == outcomes else { break }
        counts.add(shard: summary.counts)
        seconds += summary.seconds
        return
      }
      outcomes += 1
      if let problem = record.problem { problems.add(problem) }
      write(record.asMade(line))
    }
    throw ShardReport.problem(report.path, "is damaged: the number of its records is not that of its summary")
  }

  private borrowing func write(_ line: @autoclosure () -> String) {
    switch output {
    case .none: break
    case .standardOutput: Console.print(verbatim: line())
    case .file(let file): file.write(line())
    }
  }

  /// Completes the report and prints the summary.
  ///
  /// - Parameters:
  ///   - isIncomplete: Whether shards are missing.
  ///   - asJSON: Whether to print the summary as JSON.
  ///   - isQuiet: Whether to print nothing else, because the report goes to standard output.
  consuming func finish(isIncomplete: Bool, asJSON: Bool, isQuiet: Bool) throws {
    let record = SummaryRecord(summary: .init(counts, seconds: seconds, isInterrupted: isIncomplete))
    write(JSONReport.line(record))
    let (counts, seconds, problems) = (counts, seconds, problems)
    if case .file(let file) = consume output { try file.close(isComplete: true) }
    guard !asJSON else { return JSONReport.print(record) }
    guard !isQuiet else { return }
    let ofCovers = counts.clips > 0 || counts.outcomes == 0
    Console.print(
      counts.line(
        ofCovers: ofCovers,
        seconds: seconds,
        isInterrupted: isIncomplete,
        followsLinks: nil,
        offersRetry: false
      )
    )
    problems.print(option: "-o")
  }
}
