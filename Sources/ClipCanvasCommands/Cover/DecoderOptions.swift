internal import ArgumentParser
internal import CoverService
internal import Covers
internal import Files

/// The options of all commands that decode clips.
struct DecoderOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time limit for one clip (default: 30), or for one sheet of a storyboard (default: 300).",
      valueName: "seconds"
    ),
    transform: OptionValue.whole("--timeout", 1...86_400, "seconds")
  )
  var timeout: Int?

  @Option(
    help: ArgumentHelp(
      "The decoder's sandbox: auto uses what the kernel offers, but at least Landlock or seccomp; require fails "
        + "unless all of it is available; off is for debugging.",
      valueName: "mode"
    )
  )
  var sandbox = SandboxMode.auto

  /// The time limit for one clip, in seconds.
  static let usualTimeout = 30

  /// Returns a service that uses the installed decoder and warns about missing parts of its sandbox.
  ///
  /// - Parameter usualTimeout: The time limit in seconds unless the user sets one.
  func service(usualTimeout: Int = usualTimeout) throws(ServiceError) -> CoverService {
    let decoder = try ProgramLocation.decoder.find()
    return CoverService(decoder: decoder, timeout: .seconds(timeout ?? usualTimeout), sandbox: sandbox) { state in
      StandardError.print("clipcanvas: \(state.warning)")
    }
  }
}
