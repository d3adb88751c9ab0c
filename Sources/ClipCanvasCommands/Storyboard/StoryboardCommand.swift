internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas storyboard`.
struct StoryboardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storyboard",
    abstract: "Make sheets of small frames that a player shows while seeking.",
    usage: "clipcanvas storyboard [<options>] <clip> ...",
    discussion: """
      The storyboard of a.mp4 is the folder a.mp4.storyboard beside it: 0.jpg, 1.jpg and so on, each with up to 100 \
      frames of the clip, and storyboard.vtt, which tells a player such as video.js, Plyr or JW Player where the frame \
      for each time is. With --layout jellyfin, the sheets are in 'a.trickplay/320 - 10x10', where Jellyfin looks for \
      them. A new storyboard replaces an old one in one step, and one that is already up to date is kept.

      A tile shows the key frame at or before its time, which is fast. Where key frames are more \
      than two tiles apart, and with --exact, the frames between them are decoded too.

      Examples:
        clipcanvas storyboard film.mkv
        clipcanvas storyboard --interval 2s --width 160 clip.mp4
        clipcanvas storyboard --layout jellyfin /media/films/*.mkv
      """
  )

  @Argument(help: ArgumentHelp("The clips to make storyboards of.", valueName: "clip"))
  var clips: [PathArgument]

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "The folder to create the storyboards in (default: the folder of each clip).",
      valueName: "dir"
    ),
    completion: .directory
  )
  var output: PathArgument?

  @OptionGroup
  var sheets: SheetOptions

  @Flag(help: "Show the frame at the time of each tile instead of the key frame before it.")
  var exact = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The quality of the sheets, 1 to 100 (default: \(SheetOptions.usualQuality)).",
      valueName: "number"
    ),
    transform: OptionValue.whole("--quality", 1...100)
  )
  var quality = SheetOptions.usualQuality

  @OptionGroup
  private var streamOption: StreamOption

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each clip.")
  var json = false

  @Flag(help: "Make storyboards even if they are up to date.")
  var force = false

  func validate() throws {
    try PathArgument.rejectURLs(clips)
    guard output?.path != "-" else { throw ValidationError("'-o' takes a folder, not standard output") }
    guard !StandardInputClip.isNamed(in: clips) else {
      throw ValidationError("a clip on standard input has no name for its storyboard: save it to a file first")
    }
  }

  func run() async throws {
    if let output { try Folder.makeForCovers(at: output.path) }
    let request = sheets.request(isExact: exact, stream: streamOption, quality: quality)
    let orders = clips.map { clip in
      StoryboardOrder(clip: clip.path, in: output?.path, request: request, isForced: force)
    }
    let service = try decoder.service()
    let run = Task { [json] in
      var failures = 0
      var line = StatusLine()
      defer { line.clear() }
      try await service.makeStoryboards(orders) { clip, number, count in
        guard !json, StatusLine.isPossible else { return }
        line.show("\(clip.displayText): \(count.map { "\(number) of \($0)" } ?? "\(number)") sheets")
      } report: { outcome in
        line.clear()
        failures += outcome.hasPicture ? 0 : 1
        PictureReport.print(outcome, asJSON: json)
      }
      return failures
    }
    // A storyboard in progress is removed; the older one stays.
    let interruption = Interruption { run.cancel() }
    let result = await run.result
    interruption.endProgram()
    guard try result.get() == 0 else { throw CommandError(.someFailed) }
  }
}
