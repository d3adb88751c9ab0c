internal import Dispatch

/// A value that is accessed only on one serial queue, so that blocking work does not occupy one of the few threads that
/// run tasks.
///
/// The `@unchecked` conformance is safe: `value` is private, and every access is a block on the serial `queue`, so two
/// threads never access it at the same time.
final class QueueConfined<Value: ~Copyable>: @unchecked Sendable {
  private let queue: DispatchQueue
  private var value: Value

  init(label: String, _ value: consuming sending Value) {
    queue = DispatchQueue(label: label)
    self.value = value
  }

  /// Calls a function with the value, after all earlier calls.
  func use<Success: Sendable>(_ body: @escaping @Sendable (inout Value) -> Success) async -> Success {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body(&self.value)) }
    }
  }

  /// Calls a function with the value, without waiting for it.
  func later(_ body: @escaping @Sendable (inout Value) -> Void) {
    queue.async { body(&self.value) }
  }
}
