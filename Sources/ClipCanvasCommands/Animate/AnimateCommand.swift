internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas animate`.
struct AnimateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "animate",
    abstract: "Make a short loop of each clip, as an animated WebP or GIF.",
    usage: "clipcanvas animate [<options>] <clip> ...",
    discussion: """
      The animation of a.mp4 is a.mp4.preview.webp beside it, unless -o names another place: segments of half a second \
      from six parts of the clip, without sound, for a page or a file manager to show while the pointer is over the \
      cover. A clip that is not longer than all segments together is shown as a whole. A new animation replaces an old \
      one in one step, and one that is already up to date is kept.

      Examples:
        clipcanvas animate clip.mp4
        clipcanvas animate --segments 4 --segment-length 1 --fps 15 *.mp4
        clipcanvas animate --max-bytes 500k -o clip.gif clip.mp4
      """
  )

  @Argument(help: ArgumentHelp("The clips to make animations of; - reads one from standard input.", valueName: "clip"))
  var clips: [PathArgument]

  @OptionGroup
  private var outputOption: OutputOption

  @OptionGroup(title: "Animation options")
  var animation: AnimationOptions

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each clip.")
  var json = false

  @Flag(help: "Make animations even if they are up to date, and replace files that clipcanvas did not make.")
  var force = false

  private var places: PicturePlaces<AnimationFormat> {
    PicturePlaces(output: outputOption.output, count: clips.count, format: animation.format)
  }

  func validate() throws {
    try PathArgument.rejectURLs(clips)
    try places.validate(clips, noun: "animation", printsJSON: json)
  }

  func run() async throws {
    let request = animation.request(format: places.format)
    try await decoder.make(try places.orders(request, of: clips, isForced: force, asJSON: json)) { outcome in
      PictureReport.print(outcome, asJSON: json, onlyProblems: places.isStandardOutput)
    }
  }
}
