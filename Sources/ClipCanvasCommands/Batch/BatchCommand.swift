internal import ArgumentParser
internal import CoverService
internal import Covers
internal import Files
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
    help: ArgumentHelp("The folder that covers go into, in folders like those of the clips.", valueName: "dir"),
    completion: .directory
  )
  var output: PathArgument?

  @Flag(
    help: """
      Put covers into the cache that desktops share, so that file managers show them. Its size is 256 unless --size says \
      128, 512 or 1024.
      """
  )
  var freedesktop = false

  @OptionGroup(title: "Picture options")
  var picture: PictureOptions

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      "How many decoders work at a time; as many as there are processors, unless told.",
      valueName: "N"
    )
  )
  var jobs: Int?

  private static let mostJobs = 256
  private static var processors: Int { min(max(Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))), 1), mostJobs) }

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Make all covers again, and replace files that clipcanvas did not make.")
  var force = false

  @Flag(help: "Try clips again that gave no cover before.")
  var retry = false

  @OptionGroup(title: "What is told")
  var telling: TellingOptions

  func validate() throws {
    guard (1...Self.mostJobs).contains(jobs ?? 1) else {
      throw ValidationError("'--jobs' takes 1 to \(Self.mostJobs).")
    }
    try picture.validate(for: picture.format ?? .png)
    guard !paths.isEmpty || selection.list != nil else {
      throw ValidationError("Name folders or clips, or a list of clips with '--files-from'.")
    }
    guard output?.path != "-" else { throw ValidationError("'-o' takes a folder here, not standard output.") }
    if freedesktop { try validateForCache() }
    if output != nil, let (one, other) = clips.clash {
      throw ValidationError(
        "'\(one.displayText)' and '\(other.displayText)' have the same last name, so their covers would meet below "
          + "the folder of '-o'; use '-o' with one of them at a time, or leave it out."
      )
    }
  }

  private func validateForCache() throws {
    guard output == nil else { throw ValidationError("'--freedesktop' says where covers go; leave '-o' out.") }
    guard picture.format ?? .png == .png else { throw ValidationError("'--freedesktop' takes PNG only.") }
    guard cacheSize != nil else {
      throw ValidationError("'--freedesktop' takes the sizes 128, 256, 512 and 1024 only.")
    }
  }

  /// The requested size of the cache's thumbnails; `nil` if `--size` is not one of the cache's sizes.
  private var cacheSize: FreedesktopCache.Size? {
    guard let size = picture.size else { return .large }
    return FreedesktopCache.Size.allCases.first { $0.limit == size }
  }

  func run() async throws {
    let batch = try batch()
    let service = try decoder.service()
    let telling = try BatchTelling(telling, clips: clips, isForced: force)
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

  private func batch() throws -> Batch {
    var request = picture.request(format: picture.format ?? .png)
    if freedesktop, let cacheSize { request.size = cacheSize.limit }
    var batch = Batch(clips: clips, request: request, placement: try placement(), jobs: jobs ?? Self.processors)
    batch.isForced = force
    batch.retriesFailures = retry
    return batch
  }

  private func placement() throws -> CoverPlacement {
    if freedesktop, let cacheSize {
      let cache = try FreedesktopCache.ofUser()
      try cache.makeFolder(of: cacheSize)
      return .thumbnails(cache, cacheSize)
    }
    guard let output else { return .besideClips }
    try Folder.makeForCovers(at: output.path)
    return .below(output.path)
  }
}
