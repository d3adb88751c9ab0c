internal import Covers
internal import Synchronization

/// What a run demands of the lock-in of its decoders.
///
/// Shared by all decoders of the run, so that what is missing is told once.
final class SandboxDemand: Sendable {
  let mode: SandboxMode
  private let onIncomplete: @Sendable (SandboxState) -> Void
  private let wasTold = Atomic(false)

  init(_ mode: SandboxMode, onIncomplete: @escaping @Sendable (SandboxState) -> Void) {
    self.mode = mode
    self.onIncomplete = onIncomplete
  }

  /// Looks at what a decoder says of itself before it has seen a clip.
  ///
  /// - Throws: ``ServiceError`` when a part is missing and all were required, or nothing keeps it from opening files.
  func check(_ state: SandboxState) throws(ServiceError) {
    guard mode != .off, !state.isComplete else { return }
    guard mode == .auto else {
      throw ServiceError(
        "the decoder cannot be locked in as required, it is without \(state.missingText); "
          + "use a kernel or container that offers it, or --sandbox auto to go on without"
      )
    }
    guard state.keepsFilesClosed else {
      throw ServiceError(
        "the decoder cannot be locked in at all, it is without \(state.missingText); use a kernel or container that "
          + "offers Landlock or seccomp, or decode clips that you trust with --sandbox off"
      )
    }
    guard !wasTold.exchange(true, ordering: .relaxed) else { return }
    onIncomplete(state)
  }
}
