internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas similar`.
struct SimilarCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "similar",
    abstract: "Find clips that are identical or look alike.",
    usage: "clipcanvas similar [<options>] <path> ...",
    discussion: """
      Identical clips have the same size and the same SHA-256 digest; only files with the same size are read. Clips that \
      look alike may differ in size, codec, bit rate and container. They are found by perceptual hashes of four frames: \
      the first one and those at 25%, 50% and 75%. One of them may differ; black and other plain frames do not count. Clips that are cut, cropped, mirrored or letterboxed are different. Nothing is changed or removed.

      Instead of folders and clips, reports of 'clipcanvas batch' can be given. Then no clip is decoded: the covers are \
      compared by the hashes in the reports, and the files by their content if they are still there.

      Examples:
        clipcanvas similar ~/Videos
        clipcanvas similar --json --distance 6 ~/Videos /mnt/backup > groups.ndjson
        clipcanvas batch --report covers.ndjson ~/Videos
        clipcanvas similar covers.ndjson
      """
  )

  @Argument(help: ArgumentHelp("The folders and clips, or the reports.", valueName: "path"))
  var paths: [PathArgument] = []

  @OptionGroup(title: "Input options")
  private var search: SearchOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The largest number of bits, of 64, that differ on average between the hashes of two clips (default: "
        + "\(LikenessGroups.usualDistance)).",
      valueName: "N"
    ),
    transform: OptionValue.whole("--distance", LikenessGroups.distances)
  )
  var distance: Int?

  @OptionGroup
  private var jobsOption: JobsOption

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each group.")
  var json = false

  func validate() throws {
    try PathArgument.rejectURLs(paths)
    guard !StandardInputClip.isNamed(in: paths) else {
      throw ValidationError("'similar' reads no clip from standard input; '--files-from -' reads a list of clips")
    }
    guard !paths.isEmpty || search.list != nil else {
      throw ValidationError("specify folders, clips or reports, or a list of clips with '--files-from'")
    }
  }

  func run() async throws {
    let reports = try ReportedClips.reports(among: paths.map(\.path))
    guard reports.isEmpty || (reports.count == paths.count && search.list == nil) else {
      throw ValidationError("reports cannot be combined with folders and clips: compare them separately")
    }
    let similar = SimilarSearch(distance: distance ?? LikenessGroups.usualDistance)
    let (clips, jobs) = (search.selection(paths: paths.map(\.path)), jobsOption.count)
    let service = try reports.isEmpty ? decoder.service() : nil
    let run = Task {
      if let service { return try await similar.run(clips, with: service, jobs: jobs) }
      return try await similar.run(reports: reports)
    }
    let interruption = Interruption { run.cancel() }
    let result = await run.result
    interruption.endProgram()
    let found = try result.get()
    if json {
      for group in found.groups { JSONReport.print(group) }
    } else {
      for group in found.groups { Console.print(lines: group.lines) }
      Console.print(found.summary)
    }
    guard !found.hasProblems else { throw CommandError(.someFailed) }
  }
}
