internal import Dispatch

/// A value that is touched on one serial queue only, so that what blocks there holds up none of the few threads that run
/// tasks.
///
/// Unchecked: `value` is private and every use of it is a block on `queue`, so never by two threads at once.
final class QueueConfined<Value: ~Copyable>: @unchecked Sendable {
  private let queue: DispatchQueue
  private var value: Value

  init(label: String, _ value: consuming sending Value) {
    queue = DispatchQueue(label: label)
    self.value = value
  }

  /// Does something with the value, after everything that was asked before.
  func use<Success: Sendable>(_ body: @escaping @Sendable (inout Value) -> Success) async -> Success {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body(&self.value)) }
    }
  }

  /// Does something with the value and does not wait for it.
  func later(_ body: @escaping @Sendable (inout Value) -> Void) {
    queue.async { body(&self.value) }
  }
}
