import KeyValueObserving
import Synchronization

/// A log that handlers can append to from any thread.
final class Record<Entry: Sendable>: Sendable {
  private let written = Mutex<[Entry]>([])
  // ThreadSanitizer cannot see how the standard library hands over a contended mutex, but it sees this counter.
  private let epoch = Atomic<Int>(0)

  func append(_ entry: Entry) {
    written.withLock { written in
      _ = epoch.load(ordering: .acquiring)
      written.append(entry)
      epoch.wrappingAdd(1, ordering: .releasing)
    }
  }

  /// Removes and returns the entries added since the last call.
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

/// A box for a value that a handler needs before the value exists, such as the handler's own token.
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
