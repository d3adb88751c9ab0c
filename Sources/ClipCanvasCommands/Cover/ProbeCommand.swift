internal import ArgumentParser
internal import BoardText
internal import CoverService
internal import Covers

/// `clipcanvas probe`.
struct ProbeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Show the streams, colours, duration, date and location of clips.",
    usage: "clipcanvas probe [<options>] <clip> ..."
  )

  @Argument(help: ArgumentHelp("The clips to examine.", valueName: "clip"))
  var clips: [PathArgument]

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each clip.")
  var json = false

  func validate() throws { try PathArgument.rejectURLs(clips) }

  func run() async throws {
    var failures = 0
    try await decoder.service().probe(clips.map(\.path)) { clip, result in
      let record = ProbeRecord(clip: clip, result: result)
      failures += record.failure == nil ? 0 : 1
      if json {
        JSONReport.print(record)
      } else {
        ProbeReport.print(record)
      }
    }
    guard failures == 0 else { throw CommandError(.someFailed) }
  }
}
