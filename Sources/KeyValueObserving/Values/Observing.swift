/// The state that a model keeps only while it is observed or still has notifications to deliver.
@usableFromInline
final class Observing<Model: Sendable> {
  /// The registrations in the order they were added, which is the order of notifications.
  @usableFromInline var registrations: [Registration<Model>] = []
  /// The registrations that were added by observer and key, and are removed the same way.
  var byObserver: [ObserverAndKey: Registration<Model>] = [:]
  /// The objects among the observers, by address.
  @usableFromInline private(set) var objects: [ObjectIdentifier: WeakObserver] = [:]
  /// The observers whose objects have been freed and whose addresses belong to other objects.
  private var replaced: [ObserverID] = []
  /// The number of objects, freed or not, that triggers a search for freed ones when another is added.
  private var objectLimit = 16
  @usableFromInline var queue = Queue<Operation<Model>>()
  /// The writes made inside an access that is still in progress; they become part of its transaction.
  @usableFromInline var nested: [NestedWrite<Model>] = []
  /// Whether an operation is in progress.
  @usableFromInline var isBusy = false
  /// The model after all queued writes, if there are any.
  @usableFromInline var newest: Model?

  /// Applies the writes made inside the access in progress.
  ///
  /// The caller must lend the lock: a write can call code that makes further ones, which are applied as well. A write
  /// that such code is part of is left out.
  @inlinable
  func applyNested(to model: inout Model) {
    var index = 0
    while index < nested.count {
      nested[index].apply(to: &model)
      index += 1
    }
  }

  /// Removes and returns the writes made inside the access in progress, from the given one on.
  ///
  /// They are not freed here, because freeing them can call code that makes further ones.
  @inlinable
  func takeNested(from index: Int = 0) -> [NestedWrite<Model>] {
    let taken = Array(nested[index...])
    nested.removeSubrange(index...)
    return taken
  }

  @inlinable
  func append(_ operation: Operation<Model>) { queue.append(operation) }

  @inlinable
  func next() -> Operation<Model>? { queue.popFirst() }

  /// Returns the observer for an object that was added before, the same one as long as the object exists.
  ///
  /// The caller holds the object, so that a reference loaded here is never the last one.
  func knownObserver(for object: some AnyObject & Sendable) -> WeakObserver? {
    guard let known = objects[ObjectIdentifier(object)], known.object === object else { return nil }
    return known
  }

  /// Returns the observer for an object, the same one as long as the object exists.
  func observer(for object: some AnyObject & Sendable) -> WeakObserver {
    if let known = knownObserver(for: object) { return known }
    let observer = WeakObserver(object)
    if let former = objects.updateValue(observer, forKey: ObjectIdentifier(object)) { replaced.append(former.id) }
    return observer
  }

  /// Whether there are so many objects that it is worth looking for freed ones before another is added.
  var isCheckDue: Bool { objects.count + replaced.count >= objectLimit }

  /// Takes the registrations of freed objects off the list by observer and key.
  func take(freed: [ObjectIdentifier: WeakObserver]) -> [Registration<Model>] {
    for (address, observer) in freed where objects[address] === observer { objects[address] = nil }
    objectLimit = max(16, objects.count * 2)
    let observers = Set(freed.values.map(\.id) + replaced)
    guard !observers.isEmpty else { return [] }
    replaced = []
    let taken = byObserver.filter { observers.contains($0.key.observer) }
    for key in taken.keys { byObserver[key] = nil }
    return Array(taken.values)
  }

  /// Whether this state can be discarded.
  @inlinable
  var isOver: Bool { registrations.isEmpty && queue.isEmpty && nested.isEmpty && !isBusy }
}

/// An operation that waits for the model's turn.
@usableFromInline
enum Operation<Model: Sendable>: Sendable {
  case begin(Registration<Model>)
  case write(Write<Model>)
}

/// A write that was accepted.
@usableFromInline
struct Write<Model: Sendable>: Sendable {
  /// The keys that were written, whether or not their values changed.
  @usableFromInline
  enum Scope: Sendable {
    /// A key whose value has a size in bytes.
    case key(any PartialKeyPath<Model> & Sendable, size: Int)
    case all

    /// Returns whether the write may have concerned a key, such as a part of the key that was written, or a computed key.
    ///
    /// It has not if both are stored in the model itself, at different places.
    @inlinable
    func includes(_ key: ObservedKey<Model>) -> Bool {
      guard case .key(let keyPath, let size) = self, keyPath != key.keyPath,
        let written = MemoryLayout<Model>.offset(of: keyPath),
        let observed = MemoryLayout<Model>.offset(of: key.keyPath)
      else { return true }
      return written < observed + key.size && observed < written + size
    }
  }

  /// The model after the write.
  @usableFromInline let model: Model
  @usableFromInline let scope: Scope
  @usableFromInline let transaction: Int

  @inlinable
  init(model: Model, scope: Scope, transaction: Int) {
    (self.model, self.scope, self.transaction) = (model, scope, transaction)
  }
}

struct ObserverAndKey: Hashable {
  let observer: ObserverID
  let keyPath: AnyKeyPath
}
