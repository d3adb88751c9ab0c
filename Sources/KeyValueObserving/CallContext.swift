import Synchronization

/// The turns that the running code holds and the handlers that called it.
///
/// It answers two questions that a lock cannot: whether a call comes from inside a given handler, so that waiting for
/// that handler would deadlock, and whether it comes from inside any handler, so that waiting for another thread might.
final class CallContext: Sendable {
  @TaskLocal private static var innermost: CallContext?

  let parent: CallContext?
  let subject: ObjectIdentifier
  let isHandler: Bool
  private let task: Int
  private let isActive = Atomic<Bool>(true)

  private init(parent: CallContext?, subject: ObjectIdentifier, isHandler: Bool) {
    self.parent = parent
    self.subject = subject
    self.isHandler = isHandler
    task = CallContext.taskIdentity
  }

  /// The innermost context of the running code, or `nil` if it is not inside a turn or a handler.
  ///
  /// A task started by a handler inherits the task-local value but is not inside the handler: it is a different task,
  /// or, if it reuses the memory of the former task, the context is no longer active.
  static var current: CallContext? {
    guard let context = innermost, context.isActive.load(ordering: .acquiring), context.task == taskIdentity else {
      return nil
    }
    return context
  }

  private static var taskIdentity: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  static func run(in subject: ObjectIdentifier, isHandler: Bool, _ body: () -> Void) {
    let context = CallContext(parent: current, subject: subject, isHandler: isHandler)
    $innermost.withValue(context, operation: body)
    context.isActive.store(false, ordering: .releasing)
  }

  static func contains(_ subject: ObjectIdentifier) -> Bool {
    var context = current
    while let present = context {
      if present.subject == subject { return true }
      context = present.parent
    }
    return false
  }

  static var isInsideHandler: Bool { !handlers.isEmpty }

  /// The handlers that called the running code, innermost first.
  static var handlers: [ObjectIdentifier] {
    var found: [ObjectIdentifier] = []
    var context = current
    while let present = context {
      if present.isHandler { found.append(present.subject) }
      context = present.parent
    }
    return found
  }
}
