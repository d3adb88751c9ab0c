import KeyValueObserving
import Synchronization

/// What handlers write down, from any thread.
final class Record<Entry: Sendable>: Sendable {
  private let written = Mutex<[Entry]>([])
  // ThreadSanitizer does not see how the standard library hands over a contended mutex, but it sees this.
  private let epoch = Atomic<Int>(0)

  func append(_ entry: Entry) {
    written.withLock { written in
      _ = epoch.load(ordering: .acquiring)
      written.append(entry)
      epoch.wrappingAdd(1, ordering: .releasing)
    }
  }

  /// What was written since the last call.
  func take() -> [Entry] {
    written.withLock { written in
      _ = epoch.load(ordering: .acquiring)
      defer {
        written = []
        epoch.wrappingAdd(1, ordering: .releasing)
      }
      return written
    }
  }

  var all: [Entry] {
    written.withLock { written in
      _ = epoch.load(ordering: .acquiring)
      return written
    }
  }
}

/// Holds what a handler needs before it can be made, such as its own token.
final class Box<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func set(_ new: Value?) {
    let former = value.withLock { value in
      defer { value = new }
      return value
    }
    withExtendedLifetime(former) {}
  }

  var get: Value? { value.withLock { $0 } }
}
