#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A pointer of which each thread has its own; `nil` in a new thread.
struct ThreadSlot: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let error = pthread_key_create(&key, nil)
    precondition(error == 0, "a process has room for a thousand thread-specific values")
    self.key = key
  }

  var pointer: UnsafeRawPointer? {
    get { pthread_getspecific(key).map { UnsafeRawPointer($0) } }
    nonmutating set { pthread_setspecific(key, newValue) }
  }
}
