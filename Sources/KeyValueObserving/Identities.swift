import Synchronization

/// Gives running numbers from 1.
struct Numbers: ~Copyable, Sendable {
  private let last = Atomic<Int>(0)

  borrowing func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Who a model is, for the life of the process.
///
/// A number that is never given twice. The address of an object is: a new model may lie where a former one lay.
public struct ModelID: Hashable, Sendable, CustomStringConvertible {
  private static let numbers = Numbers()

  let order: Int

  init() { order = ModelID.numbers.next() }

  /// The identity as a person reads it, such as `model 3`.
  public var description: String { "model \(order)" }
}

/// Who observes, for the life of the process.
public struct ObserverID: Hashable, Sendable, CustomStringConvertible {
  private static let numbers = Numbers()

  let order: Int
  private let name: String

  /// Makes a new observer, different from every other, whatever they are called.
  ///
  /// - Parameter name: What messages call it.
  public init(_ name: String = "observer") {
    self.name = name
    order = ObserverID.numbers.next()
  }

  /// The name and the number, such as `header 12`.
  public var description: String { "\(name) \(order)" }

  /// Whether both are the same observer; names do not count.
  public static func == (first: ObserverID, second: ObserverID) -> Bool { first.order == second.order }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(order) }
}
