internal import ArgumentParser

/// The option that selects a video stream.
struct StreamOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The video stream to use, by its number in the output of 'probe'.", valueName: "N"),
    transform: OptionValue.whole("--stream", 0...Int.max, "the number of a stream,")
  )
  var stream: Int?
}
