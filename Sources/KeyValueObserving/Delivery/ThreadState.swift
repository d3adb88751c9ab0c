/// What one thread does in this library.
///
/// Only the thread itself uses it, so it needs no lock.
@usableFromInline
struct ThreadState {
  /// The number of models whose locks the thread lends to the code that it is running; see ``Lock/lend()``.
  @usableFromInline var accesses = 0
  /// Whether work waits for the end of these accesses.
  @usableFromInline var hasDeferredWork = false
  private var deferred: [() -> Void] = []
  private var deferring: Set<ObjectIdentifier> = []
  /// The innermost context of the running code.
  var context: UnsafePointer<CallContext>?

  init() {}

  /// Whether the calling thread is inside an access to a model, so that it holds the model's lock.
  @usableFromInline static var isInsideAccess: Bool { ThreadSlot.shared.current.pointee.accesses > 0 }

  /// Leaves work to the end of the outermost access of the calling thread, unless the object has left it already.
  ///
  /// The work must retain the object.
  @usableFromInline
  static func deferWork(of object: AnyObject, _ work: @escaping () -> Void) {
    ThreadSlot.shared.current.pointee.add(ObjectIdentifier(object), work)
  }

  /// Does the deferred work, in the order it was deferred, if the calling thread is not inside an access.
  @usableFromInline
  static func workOffDeferred() {
    for work in ThreadSlot.shared.current.pointee.takeDeferred() { work() }
  }

  private mutating func add(_ object: ObjectIdentifier, _ work: @escaping () -> Void) {
    guard deferring.insert(object).inserted else { return }
    deferred.append(work)
    hasDeferredWork = true
  }

  private mutating func takeDeferred() -> [() -> Void] {
    guard accesses == 0 else { return [] }
    defer { (deferred, deferring, hasDeferredWork) = ([], [], false) }
    return deferred
  }
}
