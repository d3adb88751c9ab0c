public import Synchronization

/// A lock whose two halves stand apart, so that an accessor can hold it while its caller changes a value in place.
///
/// `Mutex` hands a contended lock over inside the standard library, where ThreadSanitizer does not look. The `epoch`,
/// written before the lock is given up and read after it is got, tells it (and any reader) the same order once more;
/// on the processors Swift runs on it costs a load and a store.
@usableFromInline
struct Lock: ~Copyable, Sendable {
  @usableFromInline let mutex = Mutex<Void>(())
  @usableFromInline let epoch = Atomic<UInt>(0)

  init() {}

  // `_unsafeLock` is the only way to hold a `Mutex` across a `yield`: `withLock` takes a closure. It is public, and
  // compiled into its users.
  @inlinable
  borrowing func lock() {
    mutex._unsafeLock()
    _ = epoch.load(ordering: .acquiring)
  }

  @inlinable
  borrowing func unlock() {
    epoch.store(epoch.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    mutex._unsafeUnlock()
  }

  /// Takes the lock unless someone has it.
  borrowing func lockIfFree() -> Bool {
    guard mutex._unsafeTryLock() else { return false }
    _ = epoch.load(ordering: .acquiring)
    return true
  }

  borrowing func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A value that is reached under its lock only.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  private let value: Mutex<Value>
  // As in `Lock`.
  private let epoch = Atomic<UInt>(0)

  init(_ value: Value) { self.value = Mutex(value) }

  borrowing func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try value.withLock { value throws(Failure) in
      _ = epoch.load(ordering: .acquiring)
      defer { epoch.store(epoch.load(ordering: .relaxed) &+ 1, ordering: .releasing) }
      return try body(&value)
    }
  }
}
