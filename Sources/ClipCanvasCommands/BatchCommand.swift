internal import ArgumentParser
internal import CoverService
internal import Covers
internal import Glibc
internal import SystemPackage

/// `clipcanvas batch`.
struct BatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Make the covers of folders of clips, with several decoders.",
    usage: "clipcanvas batch [<options>] <path> ...",
    discussion: """
      Folders are walked; which files are clips is told by their endings. A cover lies beside its clip, a.mp4 as \
      a.mp4.png, or below the folder that -o names. Only covers that are missing or stale are made, so a second run is \
      quick, and one that was interrupted is carried on by typing it again. A clip that gives no cover leaves a small \
      note, .a.mp4.failed.json, and is not tried again until it changes, or with --retry.

      Examples:
        clipcanvas batch --size 256 clips/
        clipcanvas batch -o covers/ --json clips/ > report.ndjson
        find / -name '*.mp4' -print0 | clipcanvas batch --files-from - -0 -o covers/
      """
  )

  @Argument(help: ArgumentHelp("Folders, and clips.", valueName: "path"))
  var paths: [PathArgument] = []

  @OptionGroup(title: "Which clips")
  var selection: SelectionOptions

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("The folder that covers go into, in folders like those of the clips.", valueName: "dir")
  )
  var output: PathArgument?

  @OptionGroup(title: "Picture options")
  var picture: PictureOptions

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      "How many decoders work at a time; as many as there are processors, unless told.",
      valueName: "N"
    )
  )
  var jobs = min(max(Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))), 1), Self.mostJobs)

  private static let mostJobs = 256

  @Option(help: ArgumentHelp("How long one clip may take.", valueName: "seconds"))
  var timeout = 30

  @Flag(help: "Make all covers again, and replace files that clipcanvas did not make.")
  var force = false

  @Flag(help: "Try clips again that gave no cover before.")
  var retry = false

  @OptionGroup(title: "What is told")
  var telling: TellingOptions

  func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError("'--timeout' takes 1 to 86400 seconds.") }
    guard (1...Self.mostJobs).contains(jobs) else {
      throw ValidationError("'--jobs' takes 1 to \(Self.mostJobs).")
    }
    try picture.validate(for: picture.format ?? .png)
    guard !paths.isEmpty || selection.list != nil else {
      throw ValidationError("Name folders or clips, or a list of clips with '--files-from'.")
    }
    guard output?.path != "-" else { throw ValidationError("'-o' takes a folder here, not standard output.") }
    if output != nil, let (one, other) = clips.clash {
      throw ValidationError(
        "'\(one.displayText)' and '\(other.displayText)' have the same last name, so their covers would meet below "
          + "the folder of '-o'; use '-o' with one of them at a time, or leave it out."
      )
    }
  }

  func run() async throws {
    if let output { try Folder.makeForCovers(at: output.path) }
    let service = try CoverService.atDefaultPlace(timeout: .seconds(timeout))
    let telling = try BatchTelling(telling, clips: clips)
    let batch = batch
    let work = Task {
      try await service.run(batch) { event in telling.tell(event) }
    }
    let interruption = Interruption { work.cancel() }
    let clock = telling.startClock()
    let result = await work.result
    clock.cancel()
    let summary = try result.get()
    try telling.finish(summary, isInterrupted: interruption.signal != nil)
    interruption.endProgram()
    guard summary.incomplete + summary.failed == 0 else { throw ExitStatus.someClipsFailed }
  }

  private var clips: ClipSelection { selection.selection(paths: paths.map(\.path)) }

  private var batch: Batch {
    var batch = Batch(
      clips: clips,
      request: picture.request(format: picture.format ?? .png),
      placement: output.map { .below($0.path) } ?? .besideClips,
      jobs: jobs
    )
    batch.isForced = force
    batch.retriesFailures = retry
    return batch
  }
}
