internal import ArgumentParser
internal import CoverService
internal import Covers

/// `clipcanvas probe`.
struct ProbeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Tell the facts of each clip: container, codec, sizes, rotation, colours, duration.",
    usage: "clipcanvas probe [<options>] <clip> ..."
  )

  @Argument(help: ArgumentHelp("The recordings to look at.", valueName: "clip"))
  var clips: [PathArgument]

  @OptionGroup(title: "Decoder options")
  var decoder: DecoderOptions

  @Flag(help: "Print a JSON object for each clip.")
  var json = false

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
    guard failures == 0 else { throw ExitStatus.someClipsFailed }
  }
}
