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
    abstract: "Change the container of clips, cut or join them without encoding.",
    usage: "clipcanvas remux [<options>] <clip> ... -o <file>",
    discussion: """
      Video, sound and subtitles are copied as they are, so nothing is lost and the work takes as long as copying the \
      file. The copy has a duration and an index, unlike recordings from browsers and recordings cut off by a crash. \
      Several clips are joined one after another; they must have been recorded with the same \
      settings, and their chapters are left out. A file that holds several recordings, as after 'cat a b', is refused \
      with the byte where to split it.

      --from and --to copy a part of one clip. It is stored from the key frame at or before --from on, because decoding \
      cannot start elsewhere. MP4 and MOV hide the frames before --from (H.264, HEVC, MPEG-4 and VP9); otherwise they \
      are shown. The part ends with the last frame before --to, or a few frames later if these are needed to decode \
      it. Where it starts and ends is printed.

      The file extension given with -o decides the container: .mp4, .m4v, .mov, .mkv or .webm. An existing file is \
      replaced only with --force, and in one step.

      Examples:
        clipcanvas remux recording.webm -o recording.mkv
        clipcanvas remux part1.mp4 part2.mp4 part3.mp4 -o take.mp4
        clipcanvas remux --from 1m30s --to 2m holiday.mp4 -o swim.mp4
      """
  )

  @Argument(help: ArgumentHelp("The clips to copy, in the order of the video.", valueName: "clip"))
  var clips: [PathArgument]

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("The video to write.", valueName: "file")
  )
  var output: PathArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Leave out what comes before this time: seconds (2.5), 1m30s, 1:02:03 or a percentage (50%).",
      valueName: "time"
    ),
    transform: OptionValue.position
  )
  var from: RequestedTime.Position?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Leave out what comes from this time on; in the same forms.", valueName: "time"),
    transform: OptionValue.position
  )
  var to: RequestedTime.Position?

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
    guard clips.count == 1 || part == nil else {
      throw ValidationError("--from and --to cut a single clip, not \(clips.count): cut each one, then join the parts")
    }
    if let to, case .seconds(let end) = to {
      guard end > 0 else { throw ValidationError("'--to \(to)' leaves nothing of the clip") }
      if let from, case .seconds(let start) = from, start >= end {
        throw ValidationError("the part from \(from) to \(to) is empty: '--to' must be later than '--from'")
      }
    }
    guard clips.count <= RemuxOrder.maximumClips else {
      throw ValidationError(
        "remux joins at most \(RemuxOrder.maximumClips) clips, not \(clips.count): join them in steps"
      )
    }
  }

  /// The part of the clip that is copied; `nil` for all of it.
  private var part: RemuxRequest.Part? {
    from == nil && to == nil ? nil : RemuxRequest.Part(from: from, to: to)
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
    (request.programme, request.part) = (programmeOption.programme, part)
    let order = RemuxOrder(
      clips: clips.map(\.path),
      place: OutputPlace(named: output.path),
      request: request,
      isForced: force
    )
    try await RemuxReport.run(order, with: composer.service(), asJSON: json)
  }
}
