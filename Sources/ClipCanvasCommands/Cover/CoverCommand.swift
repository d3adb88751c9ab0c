internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas cover`.
struct CoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cover",
    abstract: "Make the cover of each clip: its first frame, as a picture.",
    usage: "clipcanvas cover [<options>] <clip> ...",
    discussion: """
      The cover of a.mp4 is a.mp4.png beside it, unless -o names another place; several covers of it are a.mp4.1.png, \
      a.mp4.2.png and so on. A new cover replaces an old one in one step, so that a failure leaves the old one as it \
      was. A cover that is already up to date is kept.

      Examples:
        clipcanvas cover clip.mp4
        clipcanvas cover --size 256 -o covers/ *.mp4
        clipcanvas cover --at 50% -o - clip.mov > middle.png
        clipcanvas cover --at first,best,90% clip.mp4
        ssh camera cat last.mp4 | clipcanvas cover -o last.png -
        clipcanvas cover --quality 80 -o clip.jpg clip.mov
      """
  )

  @Argument(help: ArgumentHelp("The clips to make covers of; - reads one from standard input.", valueName: "clip"))
  var clips: [PathArgument]

  @OptionGroup
  private var outputOption: OutputOption

  @OptionGroup
  private var nameOption: NameOption

  @OptionGroup(title: "Picture options")
  var picture: PictureOptions

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each cover.")
  var json = false

  @Flag(help: "Make covers even if they are up to date, and replace files that clipcanvas did not make.")
  var force = false

  private var places: PicturePlaces<CoverFormat> {
    PicturePlaces(
      output: outputOption.output,
      count: clips.count * max(1, picture.times.count),
      format: picture.format ?? nameOption.pattern.format
    )
  }

  func validate() throws {
    try PathArgument.rejectURLs(clips)
    _ = try nameOption.format(picture.format)
    if nameOption.isGiven, let output = outputOption.output, !places.isInFolder {
      throw ValidationError("'-o \(output.path.displayText)' already names the cover: leave out '--name'")
    }
    try picture.validate(for: places.format)
    try places.validate(clips, noun: "cover", pictures: max(1, picture.times.count), printsJSON: json)
  }

  private func orderForInput() throws -> CoverOrder {
    try StandardInputClip.order(
      to: try places.destination(for: "-") { $0 },
      request: picture.request(at: picture.times.first ?? .first, format: places.format),
      isForced: force,
      asJSON: json
    )
  }

  func run() async throws {
    let orders =
      try StandardInputClip.isNamed(in: clips) ? [orderForInput()] : clips.flatMap { try self.orders(for: $0.path) }
    var previous: PictureOutcome?
    try await decoder.make(orders) { outcome in
      // A problem of a clip is reported once, not for each of its covers.
      let isRepeated = outcome.failure != nil && outcome.failure == previous?.failure
      if json || !isRepeated || outcome.clip.uri != previous?.clip.uri {
        PictureReport.print(outcome, asJSON: json, onlyProblems: places.isStandardOutput)
      }
      previous = outcome
    }
  }

  private func orders(for clip: FilePath) throws -> [CoverOrder] {
    let times = picture.times.isEmpty ? [.first] : picture.times
    return try times.enumerated().map { index, time in
      var order = CoverOrder(
        clip: clip,
        destination: try destination(for: clip, number: times.count > 1 ? index + 1 : nil),
        request: picture.request(at: time, format: places.format),
        isForced: force
      )
      order.name = nameOption.pattern
      return order
    }
  }

  /// - Parameter number: The number of the cover among several of the clip.
  private func destination(for clip: FilePath, number: Int?) throws -> CoverOrder.Destination {
    try places.destination(for: clip) { nameOption.pattern.path(for: $0, number: number, format: places.format) }
  }
}
