internal import ArgumentParser
internal import BoardText
internal import CoverService
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// `clipcanvas cover`.
struct CoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cover",
    abstract: "Make the cover of each clip: its first frame, as a picture.",
    usage: "clipcanvas cover [<options>] <clip> ...",
    discussion: """
      The cover of a.mp4 is a.mp4.png beside it, unless -o names another place. A new cover replaces an old one in one \
      step, so that a failure leaves the old one as it was. A cover that is already up to date is kept.

      Examples:
        clipcanvas cover clip.mp4
        clipcanvas cover --size 256 -o covers/ *.mp4
        clipcanvas cover --at 50% -o - clip.mov > middle.png
        clipcanvas cover --quality 80 -o clip.jpg clip.mov
      """
  )

  @Argument(help: ArgumentHelp("The clips to make covers of.", valueName: "clip"))
  var clips: [PathArgument]

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "The output: a file, a folder (written with / at the end if it does not exist), or - for standard output.",
      valueName: "file|dir"
    )
  )
  var output: PathArgument?

  @OptionGroup(title: "Picture options")
  var picture: PictureOptions

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each clip.")
  var json = false

  @Flag(help: "Make covers that are up to date again, and replace files that clipcanvas did not make.")
  var force = false

  private var writesToStandardOutput: Bool { output?.path == "-" }

  private var writesIntoFolder: Bool {
    guard let output, !writesToStandardOutput else { return false }
    return clips.count > 1 || output.namesFolder || Folder.exists(at: output.path)
  }

  /// The requested format, or the format implied by the file name given with `-o`.
  private var format: CoverFormat {
    if let format = picture.format { return format }
    guard let output, !writesIntoFolder, let ending = output.path.extension else { return .png }
    return CoverFormat(fileExtension: ending) ?? .png
  }

  func validate() throws {
    try PathArgument.rejectURLs(clips)
    try picture.validate(for: format)
    if clips.count > 1, let output, writesIntoFolder, !output.namesFolder, !Folder.exists(at: output.path),
      output.path.extension.flatMap(CoverFormat.init(fileExtension:)) != nil
    {
      let path = output.path.displayText
      throw ValidationError("'-o \(path)' is one file for \(clips.count) clips; write \(path)/ if it is a folder")
    }
    guard writesToStandardOutput else { return }
    guard clips.count == 1 else { throw ValidationError("'-o -' takes one clip; use a folder for several") }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw ValidationError("'-o -' would write a picture to the terminal; redirect it to a file or a program")
    }
    guard !json else { throw ValidationError("'--json' and '-o -' both write to standard output; use one of them") }
  }

  func run() async throws {
    let request = picture.request(format: format)
    let orders = try clips.map { clip in
      CoverOrder(
        clip: clip.path,
        destination: try destination(for: clip.path),
        request: request,
        isForced: force
      )
    }
    var failures = 0
    try await decoder.service().makeCovers(orders) { outcome in
      failures += outcome.hasCover ? 0 : 1
      report(outcome)
    }
    guard failures == 0 else { throw CommandError(.someFailed) }
  }

  private func destination(for clip: FilePath) throws -> CoverOrder.Destination {
    guard let output else {
      return .file(OutputPlace(CoverOrder.defaultPath(for: clip, format: format), derivedComponents: 1))
    }
    guard !writesToStandardOutput else { return .standardOutput }
    guard writesIntoFolder else { return .file(OutputPlace(named: output.path)) }
    try Folder.makeForCovers(at: output.path)
    let name = clip.lastComponent.map { FilePath(root: nil, [$0]) } ?? clip
    let path = output.path.pushing(CoverOrder.defaultPath(for: name, format: format))
    return .file(OutputPlace(path, derivedComponents: 1))
  }

  private func report(_ outcome: CoverOutcome) {
    if json {
      JSONReport.print(outcome)
    } else {
      CoverReport.print(outcome, onlyProblems: writesToStandardOutput)
    }
  }
}
