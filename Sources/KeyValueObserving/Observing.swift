/// What a model keeps only while it is observed, or while it still tells of something.
@usableFromInline
final class Observing<Model: Sendable> {
  /// In the order of registering, which is the order of notices.
  var registrations: [Registration<Model>] = []
  /// Those that were added by observer and key, and are removed so.
  var byObserver: [ObserverAndKey: Registration<Model>] = [:]
  private(set) var queue: [Step<Model>] = []
  /// Whether a step is being done.
  var isBusy = false
  /// The model after all writes in the queue, if there are any.
  var newest: Model?

  func append(_ step: Step<Model>) { queue.append(step) }

  func next() -> Step<Model>? { queue.isEmpty ? nil : queue.removeFirst() }

  /// Whether nothing would be lost without it.
  var isOver: Bool { registrations.isEmpty && queue.isEmpty && !isBusy }
}

/// What is done in a model's turn.
enum Step<Model: Sendable>: Sendable {
  case begin(Registration<Model>)
  case write(Write<Model>)
}

/// A write that was accepted.
struct Write<Model: Sendable>: Sendable {
  /// Which keys were written, whatever their values.
  enum Scope: Sendable {
    case key(any AnyKeyPath & Sendable)
    case all

    func includes(_ key: ObservedKey<Model>) -> Bool {
      switch self {
      case .key(let keyPath): keyPath == key.keyPath
      case .all: true
      }
    }
  }

  /// The model after it.
  let model: Model
  let scope: Scope
  let transaction: Int
}

struct ObserverAndKey: Hashable {
  let observer: ObserverID
  let keyPath: AnyKeyPath
}
