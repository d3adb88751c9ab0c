public import Synchronization

/// A lock with separate lock and unlock operations, so that an accessor can hold it while its caller changes a value in
/// place.
///
/// `Mutex` hands over a contended lock inside the standard library, which ThreadSanitizer does not instrument. The
/// `epoch`, written before the lock is released and read after it is acquired, makes the order visible to
/// ThreadSanitizer; on the processors that Swift supports it costs a load and a store.
@usableFromInline
struct Lock: ~Copyable, Sendable {
  @usableFromInline let mutex = Mutex<Void>(())
  @usableFromInline let epoch = Atomic<UInt>(0)

  init() {}

  // `_unsafeLock` is the only way to hold a `Mutex` across a `yield`, because `withLock` takes a closure. It is public
  // and inlined into its callers.
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

  /// Acquires the lock if it is free, and returns whether it did.
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

/// A value that can only be accessed under its lock.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  private let value: Mutex<Value>
  // See `Lock`.
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
