#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The identity of a running thread; 0 stands for no thread.
@usableFromInline
enum ThreadIdentity {
  /// The identity of the calling thread.
  @usableFromInline static var current: UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
  }
}
