internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers

/// The options of all commands that decode clips.
struct DecoderOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long the work on one clip may take before the clip fails (default: 30 seconds). A contact sheet, an animation, "
        + "or one sheet of a storyboard may take ten times as long. Also in the forms 90s and 10m.",
      valueName: "duration"
    ),
    transform: OptionValue.wholeDuration("--timeout", 1...86_400)
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

  /// Makes pictures, and reports each when it is done.
  ///
  /// - Throws: `CommandError` in the end if a clip has no picture; `ServiceError` if no decoder can be started.
  func make(_ orders: [CoverOrder], report: (PictureOutcome) -> Void) async throws {
    var failures = 0
    try await service().makeCovers(orders) { outcome in
      failures += outcome.hasPicture ? 0 : 1
      report(outcome)
    }
    guard failures == 0 else { throw CommandError(.someFailed) }
  }

  /// Returns a service that uses the installed decoder and warns about missing parts of its sandbox.
  func service() throws(ServiceError) -> CoverService {
    try .installed(timeout: timeout, sandbox: sandbox)
  }
}
