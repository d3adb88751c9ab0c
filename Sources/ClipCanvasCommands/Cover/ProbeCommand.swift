internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import SystemPackage

/// `clipcanvas probe`.
struct ProbeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Show the streams, colours, duration, date and location of clips.",
    usage: "clipcanvas probe [<options>] <clip> ...",
    discussion: """
      For a clip without video, only the other streams and what it says about its recording are shown.

      Exit status: 1 if a clip has no video or could not be read.
      """
  )

  @Argument(help: ArgumentHelp("The clips to examine; - reads one from standard input.", valueName: "clip"))
  var clips: [PathArgument]

  @OptionGroup
  private var programmeOption: ProgrammeOption

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each clip.")
  var json = false

  func validate() throws {
    try PathArgument.rejectURLs(clips)
    try StandardInputClip.validate(clips)
  }

  func run() async throws {
    var failures = 0
    func report(_ clip: FilePath?, _ result: Result<ProbedClip, ProbeFailure>) {
      let record = ProbeRecord(clip: clip, result: result)
      failures += record.failure == nil ? 0 : 1
      if json {
        JSONReport.print(record)
      } else {
        ProbeReport.print(record)
      }
    }
    if StandardInputClip.isNamed(in: clips) {
      report(nil, try await probedInput())
    } else {
      try await decoder.service().probe(clips.map(\.path), programme: programmeOption.programme) { report($0, $1) }
    }
    guard failures == 0 else { throw CommandError(.someFailed) }
  }

  private func probedInput() async throws -> Result<ProbedClip, ProbeFailure> {
    let clip: InputClip
    do throws(CoverFailure) {
      clip = try InputClip()
    } catch {
      return .failure(ProbeFailure(error))
    }
    return try await decoder.service().probe(clip, programme: programmeOption.programme)
  }
}
