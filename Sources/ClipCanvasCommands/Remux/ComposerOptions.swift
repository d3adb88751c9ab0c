internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers

/// The options of all commands that write videos.
struct ComposerOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop when there has been no progress for this long (default: 30 seconds). Also in the forms 90s and 10m.",
      valueName: "duration"
    ),
    transform: OptionValue.wholeDuration("--timeout", 1...86_400)
  )
  var timeout = 30

  @Option(
    help: ArgumentHelp(
      "The sandbox of the programs that read clips: auto uses what the kernel offers, but at least Landlock or "
        + "seccomp; require fails unless all of it is available; off is for debugging.",
      valueName: "mode"
    )
  )
  var sandbox = SandboxMode.auto

  /// Returns a service that uses the installed programs and warns about missing parts of their sandbox.
  func service() throws(ServiceError) -> VideoService {
    try .installed(timeout: timeout, sandbox: sandbox)
  }
}

extension DecoderOptions {
  /// Returns a service that writes videos, for a command that decodes clips as well.
  func videoService() throws(ServiceError) -> VideoService {
    try .installed(timeout: timeout, sandbox: sandbox)
  }
}
