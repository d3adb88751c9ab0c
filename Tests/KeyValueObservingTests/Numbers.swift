import KeyValueObserving

/// A model with keys of several kinds.
struct Numbers: Sendable, Equatable, KeyValueCoding {
  var first = 1
  var second = 0
  var name: String?
  var sum: Int { first + second }

  static let valueKeys: [String: ValueKey<Numbers>] = [
    "first": ValueKey(\.first), "second": ValueKey(\.second), "name": ValueKey(\.name),
  ]
}
