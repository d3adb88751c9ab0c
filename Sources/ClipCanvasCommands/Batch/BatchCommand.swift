internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas batch`.
struct BatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Make the covers of all clips in folders, in parallel.",
    usage: "clipcanvas batch [<options>] [<path> ...]",
    discussion: """
      Folders are searched recursively; clips are recognised by file extension (GIF and Ogg only with --all). The cover of \
      a.mp4 is a.mp4.png beside it, or in a folder of the same name below the one given with -o. There, the cover of a \
      clip that is named itself is directly in that folder, and that of a clip in a list is below the clip's whole path. \
      Only covers that are missing or out of date are made, so a second run is quick, and running the same command again \
      continues an interrupted run. A clip that cannot have a cover leaves a small file, .a.mp4.failed.json. Until the \
      clip, the options or the version of clipcanvas change, later runs skip such a known failure, unless --retry is \
      given: they only count it, and their exit status is 0 if nothing else failed. Empty files leave no such file and are \
      tried each time.

      Examples:
        clipcanvas batch --size 256 clips/
        clipcanvas batch -o covers/ --json clips/ > report.ndjson
        find / -name '*.mp4' -print0 | clipcanvas batch --files-from - -0 -o covers/
        clipcanvas batch --prune --dry-run -o covers/ clips/
        clipcanvas batch --watch --gallery ~/Videos/all.html ~/Videos
        clipcanvas batch --print-slurm 200 -o covers/ clips/ > covers.sbatch
      """
  )

  @Argument(help: ArgumentHelp("The folders and clips.", valueName: "path"))
  var paths: [PathArgument] = []

  @OptionGroup(title: "Input options")
  var selection: SelectionOptions

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("The folder for the covers; folders in the given ones are recreated there.", valueName: "dir"),
    completion: .directory
  )
  var output: PathArgument?

  @OptionGroup
  private var nameOption: NameOption

  @Flag(
    help: """
      Put the covers into the desktop's thumbnail cache, so that file managers show them, in its four sizes or only the one \
      given with --size (128, 256, 512 or 1024); --at is best unless another time is given.
      """
  )
  var freedesktop = false

  @OptionGroup(title: "Picture options")
  var picture: PictureOptions

  @Flag(
    help: "Also make a storyboard of each clip, as 'clipcanvas storyboard' does; --exact applies to its tiles as well."
  )
  var storyboard = false

  @Flag(help: "Also make a contact sheet of each clip, as 'clipcanvas sheet' does without further options.")
  var sheet = false

  @Flag(help: "Also make an animation of each clip, as 'clipcanvas animate' does without further options.")
  var animate = false

  @Flag(help: "Make no covers, only the other pictures that are requested.")
  var noCover = false

  @OptionGroup(title: "Storyboard options")
  var sheets: SheetOptions

  @OptionGroup
  private var jobsOption: JobsOption

  /// The number of decoders that the user gave.
  var jobs: Int? { jobsOption.jobs }

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @OptionGroup
  private var work: BatchWorkOptions

  @OptionGroup(title: "Output options")
  var outputOptions: BatchOutputOptions

  func validate() throws {
    try PathArgument.rejectURLs(paths)
    guard !StandardInputClip.isNamed(in: paths) else {
      throw ValidationError("a batch reads no clip from standard input; '--files-from -' reads a list of clips")
    }
    try picture.validate(for: try nameOption.format(picture.format) ?? .png)
    if let conflict = OptionConflict.all.first(where: isPresent) { throw ValidationError(conflict.message) }
    try checkNames()
    guard !paths.isEmpty || selection.list != nil else {
      throw ValidationError("specify folders or clips, or a list of clips with '--files-from'")
    }
    guard output?.path != "-" else { throw ValidationError("'-o' takes a folder, not standard output") }
    guard !noCover || storyboard || sheet || animate || work.prune else {
      throw ValidationError(
        "'--no-cover' leaves nothing to do: add '--storyboard', '--sheet', '--animate' or '--prune'"
      )
    }
    if !storyboard, let option = sheets.firstGiven {
      throw ValidationError("'\(option)' is for storyboards: add '--storyboard'")
    }
    guard picture.times.count < 2 else {
      throw ValidationError("'--at' takes one time in a batch; 'clipcanvas cover' makes several covers of a clip")
    }
    if work.watch { try validateWatch() }
    if freedesktop { try validateForCache() }
    if selection.slurmShards != nil { try validateForJob("--print-slurm") }
    if selection.kubernetesShards != nil { try validateForJob("--print-kubernetes") }
    if output != nil, let (one, other) = clips.clash {
      throw ValidationError(
        "'\(one.displayText)' and '\(other.displayText)' have the same name, so their covers would collide below the "
          + "folder given with '-o'; make a batch for each, or leave '-o' out"
      )
    }
  }

  private func isPresent(_ conflict: OptionConflict) -> Bool {
    isGiven(conflict.option) && isGiven(conflict.other) && conflict.exception.map(isGiven) != true
  }

  private func isGiven(_ option: OptionConflict.Option) -> Bool {
    switch option {
    case .animate: animate
    case .at: !picture.times.isEmpty
    case .dryRun: work.dryRun
    case .filesFrom: selection.list != nil
    case .fill: picture.fill != nil
    case .follow: selection.follow
    case .force: work.force
    case .freedesktop: freedesktop
    case .gallery: outputOptions.gallery != nil
    case .galleryOnOutput: outputOptions.gallery?.path == "-"
    case .json: outputOptions.json
    case .name: nameOption.isGiven
    case .noCover: noCover
    case .output: output != nil
    case .printKubernetes: selection.kubernetesShards != nil
    case .printSlurm: selection.slurmShards != nil
    case .prune: work.prune
    case .quiet: outputOptions.quiet
    case .report: outputOptions.reportFile != nil
    case .reportOnOutput: outputOptions.report?.path == "-"
    case .retry: work.retry
    case .shard: selection.shard != nil
    case .sheet: sheet
    case .size: picture.size != nil
    case .storyboard: storyboard
    case .watch: work.watch
    }
  }

  private func validateWatch() throws {
    for path in paths where !Folder.exists(at: path.path) {
      throw ValidationError("'--watch' is for folders, and '\(path.path.displayText)' is not a folder")
    }
    if output != nil, let (inner, outer) = clips.nesting {
      throw ValidationError(
        "'\(inner.displayText)' is in '\(outer.displayText)', and with '--watch' and '-o' a clip has one cover: leave one of "
          + "them out"
      )
    }
  }

  /// Checks that covers have other names than contact sheets and animations.
  private func checkNames() throws {
    guard nameOption.isGiven else { return }
    let clip: FilePath = "a.mp4"
    let cover = nameOption.pattern.path(for: clip, format: format)
    for (isGiven, request, flag) in [
      (sheet, ContactSheetOptions.usualRequest(isExact: false), "--sheet"),
      (animate, AnimationOptions.usualRequest, "--animate"),
    ] where isGiven && CoverOrder.defaultPath(for: clip, request: request) == cover {
      throw ValidationError(
        "'--name \(nameOption.pattern)' is the name that '\(flag)' gives to its pictures; use another"
      )
    }
  }

  /// The intervals of a watch.
  var watchTimes = WatchTimes()

  /// The format of the covers.
  private var format: CoverFormat { picture.format ?? nameOption.pattern.format ?? .png }

  private func validateForCache() throws {
    guard format == .png else { throw ValidationError("'--freedesktop' works with PNG only") }
    guard cacheSize != nil else {
      throw ValidationError("'--freedesktop' works with the sizes 128, 256, 512 and 1024 only")
    }
  }

  /// The requested size of the cache's thumbnails; `nil` if `--size` is not one of the cache's sizes.
  private var cacheSize: FreedesktopCache.Size? {
    guard let size = picture.size else { return .large }
    return FreedesktopCache.Size.allCases.first { $0.limit == size }
  }

  /// The sizes of thumbnails besides ``cacheSize``: all others, unless one size is given.
  private var thumbnailSizes: [FreedesktopCache.Size] {
    guard freedesktop, picture.size == nil else { return [] }
    return FreedesktopCache.Size.allCases.filter { $0 != cacheSize }
  }

  func run() async throws {
    if let shards = selection.slurmShards { return printSlurmScript(shards: shards) }
    if let shards = selection.kubernetesShards { return try printKubernetesJob(shards: shards) }
    let batch = try batch()
    let service = try decoder.service()
    let shard = try clips.shard.map { ReportedShard($0, ofBatch: try batch.digest()) }
    let reporter = try BatchReporter(
      outputOptions,
      clips: clips,
      shard: shard,
      makesCovers: !noCover,
      isForced: work.force,
      offersRetry: !work.watch
    )
    let run = Task {
      work.watch
        ? try await service.watch(
          batch,
          writing: outputOptions.files,
          searchesAfterChanges: outputOptions.gallery != nil,
          times: watchTimes
        ) { reporter.report($0) }
        : try await service.run(batch) { reporter.report($0) }
    }
    let interruption = Interruption { run.cancel() }
    let clock = reporter.startClock()
    let result = await run.result
    clock.cancel()
    let summary = try result.get()
    try reporter.finish(summary, isInterrupted: interruption.signal != nil && !work.watch)
    interruption.endProgram()
    guard !(work.strict ? summary.hasProblems : summary.hasNewProblems) else { throw CommandError(.someFailed) }
  }

  private var clips: ClipSelection { selection.selection(paths: paths.map(\.path)) }

  private func batch() throws -> Batch {
    let time = picture.times.first ?? (freedesktop ? .best : .first)
    var request = picture.request(at: time, format: format)
    if freedesktop, let cacheSize { request.size = cacheSize.limit }
    let usesGallerySize = outputOptions.gallery != nil && picture.size == nil && picture.fill == nil && !freedesktop
    if usesGallerySize { request.size = BatchOutputOptions.gallerySize }
    var batch = Batch(
      clips: clips,
      request: request,
      placement: try placement(),
      jobs: jobsOption.count
    )
    batch.thumbnailSizes = thumbnailSizes
    batch.name = nameOption.pattern
    batch.keepsSizes = usesGallerySize
    if storyboard { batch.storyboard = sheets.request(isExact: picture.exact, stream: picture.stream) }
    if sheet {
      var request = ContactSheetOptions.usualRequest(isExact: picture.exact)
      picture.stream.apply(to: &request)
      batch.sheet = (request, try SheetArtist.ofProgram())
    }
    if animate {
      var request = AnimationOptions.usualRequest
      picture.stream.apply(to: &request)
      batch.animation = request
    }
    batch.makesCovers = !noCover
    batch.isForced = work.force
    batch.retriesFailures = work.retry
    batch.isDry = work.dryRun
    batch.removesPictures = work.prune
    batch.reportsFacts = outputOptions.needsFacts
    return batch
  }

  private func placement() throws -> CoverPlacement {
    if freedesktop, let cacheSize {
      let cache = try FreedesktopCache.ofUser()
      if !work.dryRun { for size in [cacheSize] + thumbnailSizes { try cache.makeFolder(of: size) } }
      return .thumbnails(cache, cacheSize)
    }
    guard let output else { return .besideClips }
    if !work.dryRun { try Folder.makeForCovers(at: output.path) }
    return .below(output.path)
  }
}
