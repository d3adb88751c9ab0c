internal import ArgumentParser
internal import CoverService
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// `clipcanvas cover`.
struct CoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cover",
    abstract: "Make the cover of each clip: its first presented frame, as a picture.",
    usage: "clipcanvas cover [<options>] <clip> ...",
    discussion: """
      The cover lies beside its clip, a.mp4 as a.mp4.png, unless -o names another place. It is written beside that \
      place and put there in one step: whatever goes wrong, an older cover stays as it was. A cover that was made of \
      the same clip by the same request is left alone.

      Examples:
        clipcanvas cover clip.mp4
        clipcanvas cover --size 256 -o covers/ *.mp4
        clipcanvas cover --at 50% -o - clip.mov > middle.png
        clipcanvas cover --quality 80 -o clip.jpg clip.mov
      """
  )

  @Argument(help: ArgumentHelp("The recordings to make covers of.", valueName: "clip"))
  var clips: [PathArgument]

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Where the cover goes: a file, a folder, or - for standard output. A folder is made where it ends in / or "
        + "several clips are named.",
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

  @Flag(help: "Make it again even if it is fresh, and replace a file that clipcanvas did not make.")
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
    return CoverFormat(fileEnding: ending) ?? .png
  }

  func validate() throws {
    try picture.validate(for: format)
    guard writesToStandardOutput else { return }
    guard clips.count == 1 else { throw ValidationError("'-o -' takes one clip; name a folder for several.") }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw ValidationError("'-o -' would write a picture to the terminal; send it to a file or a program.")
    }
    guard !json else { throw ValidationError("'--json' and '-o -' both write to standard output; use one of them.") }
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
    guard failures == 0 else { throw ExitStatus.someClipsFailed }
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
