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

  @Test("A write of an equal value is reported to all whose keys may have been written")
  func related() throws {
    struct Pair: Sendable, Equatable { var (left, right) = (1, 2) }
    struct Pairs: Sendable {
      var pair = Pair()
      var other: Int? = 3
      var list = [Pair()]
      var sum: Int { pair.left + pair.right }
    }
    let told = Record<String>()
    let model = Observed(Pairs(), ledger: Ledger())
    func observe<Value: Equatable & Sendable>(
      _ name: String,
      _ keyPath: any KeyPath<Pairs, Value> & Sendable
    ) -> Observation {
      model.observeValues(of: keyPath, options: .equal) { _ in told.append(name) }
    }
    let observations = [
      observe("left", \.pair.left), observe("right", \.pair.right), observe("pair", \.pair), observe("other", \.other),
      observe("first", \.list[0].left), observe("sum", \.sum), observe("self", \.pair.self),
    ]
    // Written by hand: all keys that are stored at the same place, or outside the model itself.
    let elsewhere = ["first", "sum"]
    model.pair.left = 1
    #expect(told.take() == ["left", "right", "pair"] + elsewhere + ["self"])
    model[dynamicMember: \.pair.left] = 1
    #expect(told.take() == ["left", "pair"] + elsewhere + ["self"])
    model.pair = Pair()
    #expect(told.take() == ["left", "right", "pair"] + elsewhere + ["self"])
    model.other = 3
    #expect(told.take() == ["other"] + elsewhere)
    model.list[0].left = 1
    #expect(told.take() == elsewhere)
    model[dynamicMember: \.list[0].left] = 1
    #expect(told.take() == ["left", "right", "pair", "other"] + elsewhere + ["self"])
    model.mutate { _ in }
    #expect(told.take().count == 7)
    for observation in observations { observation.cancel() }
  }

  @Test("A string changed in place keeps the change and reports it if observed")
  func textInPlace() {
    let told = Record<String>()
    let model = Observed(Numbers(), ledger: Ledger())
    model.name = "a"
    model.name?.append("b")
    #expect(model.name == "ab")
    let observation = model.observe(\.name) {
      told.append([$0.old, $0.new].map { $0 ?? "-" }.joined(separator: " "))
    }
    model.name?.append("c")
    #expect(model.name == "abc" && told.all == ["ab abc"])
    observation.cancel()
  }

  @Test("Changes of an optional key contain its values without another optional")
  func optional() throws {
    let told = Record<String>()
    let model = Observed(Numbers(), ledger: Ledger())
    let observer = ObserverID()
    let object = Record<Int>()
    let observation = model.observe(\.name) { told.append("token \(String(describing: ($0.old, $0.new)))") }
    model.addObserver(observer, forKey: \.name) { told.append("value \(String(describing: ($0.old, $0.new)))") }
    model.addObserver(object, forKey: \.name) { told.append("object \(String(describing: ($1.old, $1.new)))") }
    model.name = "1010"
    #expect(told.all == ["token", "value", "object"].map { $0 + #" (nil, Optional("1010"))"# })
    observation.cancel()
    try model.removeObserver(observer, forKey: \.name)
    try model.removeObserver(object, forKey: \.name)
  }

  @Test("A change with both values contains them in every notification, without an additional optional")
  func values() {
    let told = Record<ValueChange<Int>>()
    let names = Record<String?>()
    let model = Observed(Numbers(), ledger: Ledger())
    let observations = [
      model.observeValues(of: \.first, options: [.initial, .prior, .equal]) { told.append($0) },
      model.observeValues(of: \.name) { names.append($0.new) },
    ]
    model.first = 2
    model.first = 2
    model.name = "1010"
    #expect(
      told.all.map { "\($0.kind) \($0.old) \($0.new) s\($0.sequence) t\($0.transaction)" } == [
        "initial 1 1 s1 t0", "prior 1 2 s2 t1", "changed 1 2 s3 t1", "prior 2 2 s4 t2", "changed 2 2 s5 t2",
      ]
    )
    #expect(names.all == ["1010"])
    for observation in observations { observation.cancel() }
  }

  @Test("Several keys observed by one handler are reported once per transaction, with those that changed")
  func severalKeys() {
    let told = Record<String>()
    let model = Observed(Numbers(), ledger: Ledger())
    let observation = model.observe(keys: Panel.displayKeys, options: [.initial, .prior]) { change in
      let first = change.keys.contains(\.first) ? " first" : ""
      let second = change.keys.contains(\.second) ? " second" : ""
      told.append("\(change.kind) \(change.old.sum) \(change.new.sum)" + first + second)
    }
    model.mutate { numbers in
      numbers.first = 2
      numbers.second = 3
    }
    model.name = "is not observed"
    model.second = 4
    #expect(
      told.all == [
        "initial 1 1 first second", "prior 1 5 first second", "changed 1 5 first second", "prior 5 6 second",
        "changed 5 6 second",
      ]
    )
    observation.cancel()
    #expect(!model.isObserved)
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
