internal import ArgumentParser
internal import CoverService
internal import Covers

/// The options of all commands that decode clips.
struct DecoderOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How long one clip may take.", valueName: "seconds"))
  var timeout = 30

  @Option(
    help: ArgumentHelp(
      "The decoder's sandbox: auto uses what the kernel offers, and at least Landlock or seccomp; require uses all of "
        + "it or decodes nothing; off is for debugging.",
      valueName: "mode"
    )
  )
  var sandbox = SandboxMode.auto

  func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError("'--timeout' takes 1 to 86400 seconds.") }
  }

  /// Returns a service that uses the installed decoder and warns about missing parts of its sandbox.
  func service() throws(ServiceError) -> CoverService {
    CoverService(decoder: try ProgramLocation.decoder.find(), timeout: .seconds(timeout), sandbox: sandbox) { state in
      Console.complain("clipcanvas: \(state.warning)")
    }
  }
}
