/// The token of an observation: the handler is called as long as the token exists.
///
/// Store it in a property: Swift may release a local constant after its last use. The token and the model do not retain
/// each other, and either can outlive the other.
public final class Observation: Sendable {
  private let end: Guarded<End?>

  // A bare closure would be wrapped again at each use; see `Registration`.
  private struct End: Sendable {
    let run: @Sendable () -> Void
  }

  init(_ end: @escaping @Sendable () -> Void) { self.end = Guarded(End(run: end)) }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// Cancelling it again has no effect.
  ///
  /// After this method returns, the handler is not called any more on any thread. If the handler is running on another
  /// thread, the method waits for it, so do not hold a lock that the handler takes. It does not wait where that could
  /// deadlock: inside the handler itself, inside an access to a model, such as ``Observed/mutate(_:)``, and, when two
  /// handlers cancel each other, in the later one.
  public func cancel() {
    let end = end.withLock { $0 }
    end?.run()
    let done = self.end.withLock { end in
      defer { end = nil }
      return end
    }
    withExtendedLifetime(done) {}
  }
}
