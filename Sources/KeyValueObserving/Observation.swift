/// The token of an observation: as long as it is kept, the handler is called.
///
/// It may outlive the model, and the model may outlive it; neither holds the other.
public final class Observation: Sendable {
  private let end: Guarded<End?>

  // As in `Registration`: a bare function would be wrapped anew at each use.
  private struct End: Sendable {
    let run: @Sendable () -> Void
  }

  init(_ end: @escaping @Sendable () -> Void) { self.end = Guarded(End(run: end)) }

  deinit { cancel() }

  /// Ends the observation; done twice, it does nothing.
  ///
  /// When it has returned, the handler is not called any more, on any thread. If the handler is running on another
  /// thread, this waits for it, so do not hold a lock that the handler takes. It does not wait where that would be for
  /// ever: inside the handler itself, and where two handlers cancel each other, in the later one.
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
