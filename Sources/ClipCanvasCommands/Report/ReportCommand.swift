internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas report`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Merge the reports of a batch that ran in shards.",
    subcommands: [MergeCommand.self]
  )

  /// `clipcanvas report merge`.
  struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "merge",
      abstract: "Merge the reports that 'clipcanvas batch --shard' wrote, and print the summary of the whole batch.",
      usage: "clipcanvas report merge [<options>] <report> ...",
      discussion: """
        If a shard has several reports, the newest complete one counts. Covers that it found up to date count as made, so \
        the result is that of an uninterrupted run. The seconds are the sum of all shards. Missing shards are listed, and \
        the exit status is then 2.

        Examples:
          clipcanvas report merge reports/*.ndjson
          clipcanvas report merge -o covers.ndjson --json reports/*.ndjson
        """
    )

    @Argument(help: ArgumentHelp("The reports of the shards.", valueName: "report"))
    var reports: [PathArgument]

    @Option(
      name: [.customShort("o", allowingJoined: true), .long],
      help: ArgumentHelp("Write the merged report to a file; - is standard output.", valueName: "file")
    )
    var output: PathArgument?

    @Flag(help: "Print the summary as a JSON object.")
    var json = false

    @Flag(help: "Replace a file that is not a report.")
    var force = false

    func validate() throws {
      guard !json || output?.path != "-" else {
        throw ValidationError("'--json' and '-o -' both write to standard output; use one of them")
      }
    }

    func run() throws {
      let reports = try ShardReports(reports.map(\.path))
      var merged = MergedReport(output: try openOutput())
      for report in reports.newest { try merged.add(report) }
      let hasProblems = merged.hasProblems
      try merged.finish(isIncomplete: !reports.missing.isEmpty, asJSON: json, isQuiet: output?.path == "-")
      if let message = reports.missingText { throw CommandError(.cannotContinue, message) }
      guard !hasProblems else { throw CommandError(.someFailed) }
    }

    private func openOutput() throws -> MergedReport.Output {
      guard let path = output?.path else { return .none }
      guard path != "-" else { return .standardOutput }
      var inputs: [FileIdentity: String] = [:]
      for report in reports {
        if let identity = FileIdentity(of: report.path) { inputs[identity] = "a report to merge" }
      }
      return .file(try ReportFile(at: path, option: "-o", appearsComplete: true, isForced: force, sparing: inputs))
    }
  }
}
