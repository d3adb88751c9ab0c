internal import ArgumentParser
internal import SystemPackage

/// The options for the output of a batch.
struct TellingOptions: ParsableArguments {
  @Flag(help: "Print a JSON object for each clip as it is done, and one with the summary at the end.")
  var json = false

  @Option(help: ArgumentHelp("Write the same objects into a file; - is standard output.", valueName: "file"))
  var report: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Write a page that shows all covers, for a browser; - is standard output.",
      valueName: "file.html"
    ),
    completion: .file(extensions: ["html"])
  )
  var sheet: PathArgument?

  @Flag(name: .shortAndLong, help: "Tell of problems only.")
  var quiet = false

  /// Whether the objects go to standard output.
  var printsJSON: Bool { json || report?.path == "-" }

  /// Whether JSON or the sheet is written to standard output, so that no other text may be written there.
  var usesStandardOutput: Bool { printsJSON || sheet?.path == "-" }

  /// The file to which the JSON objects are written.
  var reportFile: FilePath? { report?.path == "-" ? nil : report?.path }

  func validate() throws {
    guard !(json && quiet) else { throw ValidationError("'--json' and '--quiet' contradict each other.") }
    let writers = [
      json ? "--json" : nil, report?.path == "-" ? "--report -" : nil, sheet?.path == "-" ? "--sheet -" : nil,
    ]
    .compactMap(\.self)
    guard writers.count < 2 else {
      throw ValidationError("'\(writers[0])' and '\(writers[1])' both write to standard output; use one of them.")
    }
    if let sheet, sheet.path != "-", sheet.path == report?.path {
      throw ValidationError("'--sheet' and '--report' name the same file.")
    }
  }
}
