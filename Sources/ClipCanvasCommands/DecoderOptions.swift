internal import ArgumentParser
internal import CoverService
internal import Covers

/// Options of every command that decodes.
struct DecoderOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How long one clip may take.", valueName: "seconds"))
  var timeout = 30

  @Option(
    help: ArgumentHelp(
      "How the decoder is locked in: auto, by all that the kernel offers; require, by all there is or nothing is "
        + "decoded; off, not at all, for debugging.",
      valueName: "mode"
    )
  )
  var sandbox = SandboxMode.auto

  func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError("'--timeout' takes 1 to 86400 seconds.") }
  }

  /// A service whose decoder is where it was installed, and that says what is missing of its lock-in.
  func service() throws(ServiceError) -> CoverService {
    CoverService(decoder: try ProgramLocation.decoder.find(), timeout: .seconds(timeout), sandbox: sandbox) { state in
      Console.complain("clipcanvas: \(state.warning)")
    }
  }
}
