#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The place where each thread keeps its ``ThreadState``.
@usableFromInline
struct ThreadSlot: Sendable {
  /// The only slot.
  ///
  /// Each ``Lock`` has a copy of it, because Swift checks at each use of a global constant whether it has its value.
  @usableFromInline static let shared = ThreadSlot()

  private let key: pthread_key_t

  private init() {
    var key = pthread_key_t()
    let error = pthread_key_create(&key) { state in
      let ended: UnsafeMutableRawPointer? = state
      ended?.assumingMemoryBound(to: ThreadState.self).deinitialize(count: 1).deallocate()
    }
    precondition(error == 0, "a process has room for a thousand thread-specific values")
    self.key = key
  }

  /// The state of the calling thread; its address is also the thread's identity.
  @usableFromInline var current: UnsafeMutablePointer<ThreadState> {
    guard let state = pthread_getspecific(key) else { return makeState() }
    return state.assumingMemoryBound(to: ThreadState.self)
  }

  private func makeState() -> UnsafeMutablePointer<ThreadState> {
    let state = UnsafeMutablePointer<ThreadState>.allocate(capacity: 1)
    state.initialize(to: ThreadState())
    pthread_setspecific(key, state)
    return state
  }
}
