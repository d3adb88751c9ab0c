internal import ArgumentParser
internal import ClipService

/// The option for the number of decoders.
struct JobsOption: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    parsing: .unconditional,
    help: ArgumentHelp("The number of decoder processes (default: number of CPUs).", valueName: "N"),
    transform: OptionValue.whole("--jobs", 1...Self.maximum)
  )
  var jobs: Int?

  private static let maximum = 256

  /// The number that was given, or the default.
  var count: Int { jobs ?? min(CoverService.processors, Self.maximum) }
}
