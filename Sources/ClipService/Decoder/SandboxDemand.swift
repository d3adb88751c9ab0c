package import Covers
internal import Synchronization

/// The sandbox requirements of a run.
///
/// All processes of the run share this object, so that missing parts are reported only once.
package final class SandboxDemand: Sendable {
  package let mode: SandboxMode
  private let onIncomplete: @Sendable (SandboxState) -> Void
  private let wasTold = Atomic(false)

  package init(_ mode: SandboxMode, onIncomplete: @escaping @Sendable (SandboxState) -> Void) {
    self.mode = mode
    self.onIncomplete = onIncomplete
  }

  /// Checks the sandbox that a decoder has reported before it reads a clip.
  ///
  /// - Throws: ``ServiceError`` if a part is missing and all are required, or if nothing prevents the decoder from
  ///   opening files.
  func check(_ state: SandboxState) throws(ServiceError) {
    guard mode != .off, !state.isComplete else { return }
    guard mode == .auto else {
      let advice = "missing \(state.missingText); use a kernel or container that offers it"
      throw ServiceError(
        "the decoder's sandbox is incomplete, but --sandbox require was given: \(advice), or --sandbox auto to continue "
          + "without it",
        forPrograms: "the decoder's sandbox is incomplete: \(advice)"
      )
    }
    guard state.keepsFilesClosed else {
      let message =
        "the decoder cannot be sandboxed: missing \(state.missingText); use a kernel or container that offers Landlock or "
        + "seccomp"
      throw ServiceError("\(message), or decode clips that you trust with --sandbox off", forPrograms: message)
    }
    guard !wasTold.exchange(true, ordering: .relaxed) else { return }
    onIncomplete(state)
  }
}
