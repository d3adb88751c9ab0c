/// The turns that the running thread holds and the handlers on its call stack.
///
/// It answers two questions that a lock cannot: whether a call comes from inside a given handler, so that waiting for
/// that handler would deadlock, and whether it comes from inside any handler, so that waiting for another thread might.
///
/// Handlers are not asynchronous, so a handler and everything that it calls run on one thread, and a task that it
/// starts is not inside it.
struct CallContext {
  private let parent: UnsafePointer<CallContext>?
  private let subject: ObjectIdentifier
  private let isHandler: Bool

  /// The innermost context of the running thread.
  private static var current: UnsafePointer<CallContext>? { ThreadSlot.shared.current.pointee.context }

  static func run(in subject: ObjectIdentifier, isHandler: Bool, _ body: () -> Void) {
    let thread = ThreadSlot.shared.current
    let parent = thread.pointee.context
    withUnsafePointer(to: CallContext(parent: parent, subject: subject, isHandler: isHandler)) { context in
      thread.pointee.context = context
      body()
      thread.pointee.context = parent
    }
  }

  static func contains(_ subject: ObjectIdentifier) -> Bool {
    var context = current
    while let present = context?.pointee {
      if present.subject == subject { return true }
      context = present.parent
    }
    return false
  }

  static var isInsideHandler: Bool { !handlers.isEmpty }

  /// The handlers on the call stack of the running code, innermost first.
  static var handlers: [ObjectIdentifier] {
    var found: [ObjectIdentifier] = []
    var context = current
    while let present = context?.pointee {
      if present.isHandler { found.append(present.subject) }
      context = present.parent
    }
    return found
  }
}
