import KeyValueObserving
import Testing

@Suite("Observing options")
struct OptionTests {
  // Written by hand from the meaning of each option. The value is 1 at first; 2, 2 again and 3 are written.
  private static let without: [(ObservingOptions, [String])] = [
    ([], ["changed - -", "changed - -"]),
    ([.old], ["changed 1 -", "changed 2 -"]),
    ([.new], ["changed - 2", "changed - 3"]),
    ([.old, .new], ["changed 1 2", "changed 2 3"]),
    ([.initial], ["initial - -", "changed - -", "changed - -"]),
    ([.initial, .old], ["initial - -", "changed 1 -", "changed 2 -"]),
    ([.initial, .new], ["initial - 1", "changed - 2", "changed - 3"]),
    ([.initial, .old, .new], ["initial - 1", "changed 1 2", "changed 2 3"]),
    ([.prior], ["prior - -", "changed - -", "prior - -", "changed - -"]),
    ([.prior, .old], ["prior 1 -", "changed 1 -", "prior 2 -", "changed 2 -"]),
    ([.prior, .new], ["prior - -", "changed - 2", "prior - -", "changed - 3"]),
    ([.prior, .old, .new], ["prior 1 -", "changed 1 2", "prior 2 -", "changed 2 3"]),
    ([.initial, .prior], ["initial - -", "prior - -", "changed - -", "prior - -", "changed - -"]),
    ([.initial, .prior, .old], ["initial - -", "prior 1 -", "changed 1 -", "prior 2 -", "changed 2 -"]),
    ([.initial, .prior, .new], ["initial - 1", "prior - -", "changed - 2", "prior - -", "changed - 3"]),
    ([.initial, .prior, .old, .new], ["initial - 1", "prior 1 -", "changed 1 2", "prior 2 -", "changed 2 3"]),
  ]

  private static let withEqual: [(ObservingOptions, [String])] = [
    ([], ["changed - -", "changed - -", "changed - -"]),
    ([.old], ["changed 1 -", "changed 2 -", "changed 2 -"]),
    ([.new], ["changed - 2", "changed - 2", "changed - 3"]),
    ([.old, .new], ["changed 1 2", "changed 2 2", "changed 2 3"]),
    ([.initial], ["initial - -", "changed - -", "changed - -", "changed - -"]),
    ([.initial, .old], ["initial - -", "changed 1 -", "changed 2 -", "changed 2 -"]),
    ([.initial, .new], ["initial - 1", "changed - 2", "changed - 2", "changed - 3"]),
    ([.initial, .old, .new], ["initial - 1", "changed 1 2", "changed 2 2", "changed 2 3"]),
    ([.prior], ["prior - -", "changed - -", "prior - -", "changed - -", "prior - -", "changed - -"]),
    ([.prior, .old], ["prior 1 -", "changed 1 -", "prior 2 -", "changed 2 -", "prior 2 -", "changed 2 -"]),
    ([.prior, .new], ["prior - -", "changed - 2", "prior - -", "changed - 2", "prior - -", "changed - 3"]),
    ([.prior, .old, .new], ["prior 1 -", "changed 1 2", "prior 2 -", "changed 2 2", "prior 2 -", "changed 2 3"]),
    (
      [.initial, .prior],
      ["initial - -", "prior - -", "changed - -", "prior - -", "changed - -", "prior - -", "changed - -"]
    ),
    (
      [.initial, .prior, .old],
      ["initial - -", "prior 1 -", "changed 1 -", "prior 2 -", "changed 2 -", "prior 2 -", "changed 2 -"]
    ),
    (
      [.initial, .prior, .new],
      ["initial - 1", "prior - -", "changed - 2", "prior - -", "changed - 2", "prior - -", "changed - 3"]
    ),
    (
      [.initial, .prior, .old, .new],
      ["initial - 1", "prior 1 -", "changed 1 2", "prior 2 -", "changed 2 2", "prior 2 -", "changed 2 3"]
    ),
  ]

  /// The ways to write a key; each must produce the same notifications.
  enum Door: CaseIterable {
    case assignment
    case inPlace
    case mutate
    case byName

    func write(_ value: Int, to model: Observed<Numbers>) throws {
      switch self {
      case .assignment: model.first = value
      case .inPlace: model.first += value - model.first
      case .mutate: model.mutate { $0.first = value }
      case .byName: try model.setValue(value, forKey: "first")
      }
    }
  }

  @Test("Notifications contain exactly what the options name, however a write is made", arguments: Door.allCases)
  func matrix(door: Door) throws {
    let all = Self.without + Self.withEqual.map { ($0.0.union(.equal), $0.1) }
    #expect(Set(all.map(\.0)).count == 32)
    for (options, expected) in all {
      let told = Record<String>()
      let sequences = Record<Int>()
      let model = Observed(Numbers(), ledger: Ledger())
      let observation = model.observe(\.first, options: options) { change in
        told.append("\(change.kind) \(change.old.map { "\($0)" } ?? "-") \(change.new.map { "\($0)" } ?? "-")")
        sequences.append(change.sequence)
      }
      for value in [2, 2, 3] { try door.write(value, to: model) }
      #expect(told.all == expected, "options \(options.rawValue)")
      #expect(sequences.all == Array(1...expected.count))
      observation.cancel()
    }
  }

  @Test("A string changed in place keeps the change and reports it if observed")
  func textInPlace() {
    let told = Record<String>()
    let model = Observed(Numbers(), ledger: Ledger())
    model.name = "a"
    model.name?.append("b")
    #expect(model.name == "ab")
    let observation = model.observe(\.name) {
      told.append([$0.old, $0.new].map { ($0 ?? nil) ?? "-" }.joined(separator: " "))
    }
    model.name?.append("c")
    #expect(model.name == "abc" && told.all == ["ab abc"])
    observation.cancel()
  }

  @Test("The model has its old value in a prior notification, and the new value afterwards")
  func readable() {
    let read = Record<String>()
    let model = Observed(Numbers(), ledger: Ledger())
    let observation = model.observe(\.first, options: .prior) { [weak model] change in
      read.append("\(change.kind) \(model?.first ?? -1)")
    }
    model.first = 7
    #expect(read.all == ["prior 1", "changed 7"])
    observation.cancel()
  }
}
