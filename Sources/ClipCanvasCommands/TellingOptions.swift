internal import ArgumentParser

/// The options that say what a batch tells.
struct TellingOptions: ParsableArguments {
  @Flag(help: "Print a JSON object for each clip as it is done, and one with the summary at the end.")
  var json = false

  @Option(help: ArgumentHelp("Write the same objects into a file.", valueName: "file"))
  var report: PathArgument?

  @Option(
    help: ArgumentHelp("Write a page that shows all covers, for a browser.", valueName: "file.html"),
    completion: .file(extensions: ["html"])
  )
  var sheet: PathArgument?

  @Flag(name: .shortAndLong, help: "Tell of problems only.")
  var quiet = false

  func validate() throws {
    guard !(json && quiet) else { throw ValidationError("'--json' and '--quiet' contradict each other.") }
  }
}
