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
  /// The address of the state of the thread that runs a caller's code under the lock; 0 if none does.
  @usableFromInline let owner = Atomic<UInt>(0)
  @usableFromInline let threads = ThreadSlot.shared

  @inlinable
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

  /// Acquires the lock, unless the calling thread lent it to the code that it is running.
  ///
  /// - Returns: Whether the lock was acquired and has to be unlocked.
  @inlinable
  borrowing func enter() -> Bool {
    guard mutex._unsafeTryLock() else { return enterContended() }
    _ = epoch.load(ordering: .acquiring)
    return true
  }

  @usableFromInline
  borrowing func enterContended() -> Bool {
    if isLentHere { return false }
    lock()
    return true
  }

  /// Acquires the lock to run a caller's code under it; the same thread can then ``enter()`` again.
  ///
  /// - Returns: Whether the lock was acquired. If so, the caller must call ``endLending()``.
  @inlinable
  borrowing func lend() -> Bool {
    guard enter() else { return false }
    let thread = threads.current
    thread.pointee.accesses += 1
    owner.store(UInt(bitPattern: thread), ordering: .relaxed)
    return true
  }

  /// Ends the lending, unlocks, and does the work that was deferred to the end of the thread's accesses.
  @inlinable
  borrowing func endLending() {
    let thread = UnsafeMutablePointer<ThreadState>(bitPattern: owner.load(ordering: .relaxed))
    thread?.pointee.accesses -= 1
    owner.store(0, ordering: .relaxed)
    unlock()
    if thread?.pointee.hasDeferredWork == true { ThreadState.workOffDeferred() }
  }

  /// Whether the calling thread runs a caller's code under the lock.
  ///
  /// Another thread never sees its own identity in `owner`, so the order of memory accesses does not matter.
  @usableFromInline
  var isLentHere: Bool { owner.load(ordering: .relaxed) == UInt(bitPattern: threads.current) }

  /// Acquires the lock if it is free, and returns whether it did.
  borrowing func lockIfFree() -> Bool {
    guard mutex._unsafeTryLock() else { return false }
    _ = epoch.load(ordering: .acquiring)
    return true
  }

  @inlinable
  borrowing func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let isOutermost = enter()
    defer { if isOutermost { unlock() } }
    return try body()
  }
}

/// A value that can only be accessed under its lock.
@usableFromInline
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let value: Mutex<Value>
  // See `Lock`.
  @usableFromInline let epoch = Atomic<UInt>(0)

  @usableFromInline
  init(_ value: Value) { self.value = Mutex(value) }

  @inlinable
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
