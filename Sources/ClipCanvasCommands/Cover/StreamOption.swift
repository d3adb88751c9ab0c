internal import ArgumentParser
internal import Covers

/// The options that select a video stream.
struct StreamOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The video stream to use, by its number in the output of 'probe'.", valueName: "N"),
    transform: OptionValue.whole("--stream", 0...Int.max, "the number of a stream,")
  )
  var stream: Int?

  @OptionGroup
  private var programmeOption: ProgrammeOption

  @Flag(help: "Use the video in a motion photo (a JPEG or HEIC followed by an MP4) instead of the photo.")
  var embeddedVideo = false

  func validate() throws {
    guard stream == nil || programmeOption.programme == nil else {
      throw ValidationError("'--stream' and '--programme' both select the video: use one of them")
    }
  }

  /// Makes a request for the selected stream.
  func apply(to request: inout CoverRequest) {
    (request.stream, request.programme) = (stream, programmeOption.programme)
    request.takesEmbeddedVideo = embeddedVideo
  }
}

/// The option that selects a programme of a transport stream.
struct ProgrammeOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The programme of a transport stream to use, by its number in the output of 'probe'.",
      valueName: "N"
    ),
    transform: OptionValue.whole("--programme", 1...65535, "the number of a programme,")
  )
  var programme: Int?
}
