import Synchronization

/// A source of consecutive numbers, starting at 1.
struct Numbers: ~Copyable, Sendable {
  private let last = Atomic<Int>(0)

  borrowing func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// The identity of a model for the life of the process.
///
/// The number is never reused, unlike the address of an object: a new model can have the address of a freed one.
public struct ModelID: Hashable, Sendable, CustomStringConvertible {
  private static let numbers = Numbers()

  let order: Int

  init() { order = ModelID.numbers.next() }

  /// The identity in readable form, such as `model 3`.
  public var description: String { "model \(order)" }
}

/// The identity of an observer for the life of the process.
public struct ObserverID: Hashable, Sendable, CustomStringConvertible {
  private static let numbers = Numbers()

  let order: Int
  // Two observers with the same number have the same name.
  private let name: String

  /// Creates an observer that differs from every other one, even from one with the same name.
  ///
  /// - Parameter name: The observer's name in messages.
  public init(_ name: String = "observer") {
    self.name = name
    order = ObserverID.numbers.next()
  }

  /// The name and the number, such as `header 12`.
  public var description: String { "\(name) \(order)" }
}
