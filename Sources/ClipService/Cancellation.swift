internal import Synchronization

/// Does what `withTaskCancellationHandler` does, for work that throws a ``ServiceError``.
///
/// - Returns: What the work returned or threw, so that the caller can clean up in either case.
package func handlingCancellation<Value>(
  isolation: isolated (any Actor)? = #isolation,
  _ work: () async throws(ServiceError) -> Value,
  onCancel: @Sendable () -> Void
) async -> Result<Value, ServiceError> {
  await withTaskCancellationHandler {
    do throws(ServiceError) {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  } onCancel: {
    onCancel()
  }
}

/// A flag that asks work on another thread to stop.
final class StopFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}
