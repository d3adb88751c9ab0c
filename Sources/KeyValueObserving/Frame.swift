import Synchronization

/// What the running code is inside of: which turns it holds and which handlers it was called by.
///
/// It answers two questions that a lock cannot: is this call from inside my own handler (then waiting for that handler
/// would be for ever), and is it from inside any handler (then waiting for another thread might be).
final class Frame: Sendable {
  @TaskLocal private static var innermost: Frame?

  let parent: Frame?
  let subject: ObjectIdentifier
  let isHandler: Bool
  private let task: Int
  private let isActive = Atomic<Bool>(true)

  private init(parent: Frame?, subject: ObjectIdentifier, isHandler: Bool) {
    self.parent = parent
    self.subject = subject
    self.isHandler = isHandler
    task = Frame.taskIdentity
  }

  /// The frame of the running code, or nil if none of ours called it.
  ///
  /// A task that a handler starts inherits the task-local value but is not inside the handler: it is another task,
  /// or, when it got the memory of the former one, the frame is over.
  static var current: Frame? {
    guard let frame = innermost, frame.isActive.load(ordering: .acquiring), frame.task == taskIdentity else {
      return nil
    }
    return frame
  }

  private static var taskIdentity: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  static func run(in subject: ObjectIdentifier, isHandler: Bool, _ body: () -> Void) {
    let frame = Frame(parent: current, subject: subject, isHandler: isHandler)
    $innermost.withValue(frame, operation: body)
    frame.isActive.store(false, ordering: .releasing)
  }

  static func contains(_ subject: ObjectIdentifier) -> Bool {
    var frame = current
    while let present = frame {
      if present.subject == subject { return true }
      frame = present.parent
    }
    return false
  }

  static var isInsideHandler: Bool { !handlers.isEmpty }

  /// The handlers that the running code is inside of, the innermost first.
  static var handlers: [ObjectIdentifier] {
    var found: [ObjectIdentifier] = []
    var frame = current
    while let present = frame {
      if present.isHandler { found.append(present.subject) }
      frame = present.parent
    }
    return found
  }
}
