internal import ArgumentParser
internal import CoverService
internal import Covers
internal import Files

/// The options of all commands that decode clips.
struct DecoderOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time limit for one clip (default: 30); a sheet of a storyboard, or an animation, may take ten times as long.",
      valueName: "seconds"
    ),
    transform: OptionValue.whole("--timeout", 1...86_400, "seconds")
  )
  var timeout = 30

  @Option(
    help: ArgumentHelp(
      "The decoder's sandbox: auto uses what the kernel offers, but at least Landlock or seccomp; require fails "
        + "unless all of it is available; off is for debugging.",
      valueName: "mode"
    )
  )
  var sandbox = SandboxMode.auto

  /// Returns a service that uses the installed decoder and warns about missing parts of its sandbox.
  func service() throws(ServiceError) -> CoverService {
    CoverService(decoder: try ProgramLocation.decoder.find(), timeout: .seconds(timeout), sandbox: sandbox) { state in
      StandardError.print("clipcanvas: \(state.warning)")
    }
  }
}
