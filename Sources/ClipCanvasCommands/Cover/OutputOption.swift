internal import ArgumentParser

/// The option for the place of the pictures; see ``PicturePlaces``.
struct OutputOption: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "The output: a file, a folder (written with / at the end if it does not exist), or - for standard output.",
      valueName: "file|dir"
    )
  )
  var output: PathArgument?
}
