internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas remux`.
struct RemuxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remux",
    abstract: "Copy clips into another container, or join them, without encoding.",
    usage: "clipcanvas remux [<options>] <clip> ... -o <file>",
    discussion: """
      Video, sound and subtitles are copied as they are, so nothing is lost and the work takes as long as copying the \
      file. The copy has a duration and an index, unlike recordings from browsers and recordings cut off by a crash. \
      Several clips are joined one after another; they must have been recorded with the same \
      settings, and their chapters are left out. A file that holds several recordings, as after 'cat a b', is refused \
      with the byte where to split it.

      The file extension given with -o decides the container: .mp4, .m4v, .mov, .mkv or .webm. An existing file is \
      replaced only with --force, and in one step.

      Examples:
        clipcanvas remux recording.webm -o recording.mkv
        clipcanvas remux part1.mp4 part2.mp4 part3.mp4 -o take.mp4
      """
  )

  @Argument(help: ArgumentHelp("The clips to copy, in the order of the video.", valueName: "clip"))
  var clips: [PathArgument]

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("The video to write.", valueName: "file")
  )
  var output: PathArgument

  @Flag(help: "Put the index of an MP4 or MOV first, for playing while downloading; the file is written twice.")
  var faststart = false

  @OptionGroup
  private var programmeOption: ProgrammeOption

  @OptionGroup(title: "Composer options")
  var composer: ComposerOptions

  @Flag(help: "Print the result as a JSON object.")
  var json = false

  @Flag(help: "Replace an existing file.")
  var force = false

  func validate() throws {
    try PathArgument.rejectURLs(clips)
    guard !StandardInputClip.isNamed(in: clips) else {
      throw ValidationError("'remux' cannot read standard input: save the clip in a file first")
    }
    _ = try container()
    guard clips.count <= RemuxOrder.maximumClips else {
      throw ValidationError(
        "remux joins at most \(RemuxOrder.maximumClips) clips, not \(clips.count): join them in steps"
      )
    }
  }

  private func container() throws -> VideoContainer {
    let fileExtension = output.path.lastComponent?.extension ?? ""
    guard let container = VideoContainer(fileExtension: fileExtension) else {
      throw ValidationError(
        "'-o \(output.path.displayText)' is not the name of a video: use .mp4, .m4v, .mov, .mkv or .webm"
      )
    }
    return container
  }

  func run() async throws {
    var request = RemuxRequest(container: try container(), isIndexFirst: faststart)
    request.programme = programmeOption.programme
    let order = RemuxOrder(
      clips: clips.map(\.path),
      place: OutputPlace(named: output.path),
      request: request,
      isForced: force
    )
    try await RemuxReport.run(order, with: composer.service(), asJSON: json)
  }
}
