import KeyValueObserving
import Synchronization
import Testing

@Suite("Code that an access calls", .timeLimit(.minutes(5)))
struct LendingTests {
  private let told = Record<String>()
  private let home = Box<Observed<Household>>()
  private let ledger = Ledger()

  /// A model whose changes are recorded if it is observed.
  private func model(isObserved: Bool) -> (Observed<Household>, [Observation]) {
    let model = Observed(Household(home: home), ledger: ledger)
    home.set(model)
    guard isObserved else { return (model, []) }
    let keys: [(String, any KeyPath<Household, Int> & Sendable)] = [
      ("count", \.count), ("edits", \.edits), ("reads", \.reads),
    ]
    return (
      model,
      keys.map { name, keyPath in
        model.observe(keyPath) { [told] change in
          told.append("\(name) \(change.old ?? -1)→\(change.new ?? -1) t\(change.transaction)")
        }
      }
    )
  }

  private func end(_ observations: [Observation]) {
    for observation in observations { observation.cancel() }
    #expect(home.get?.isObserved == false && ledger.counts.live == 0)
    home.set(nil)
  }

  @Test("A getter can read and write the model, and what it writes is reported", arguments: [false, true])
  func getter(isObserved: Bool) {
    let (model, observations) = model(isObserved: isObserved)
    #expect(model.countOfModel == 1 && model.reads == 1)
    #expect(model[dynamicMember: \.countOfModel] == 1 && model.reads == 2)
    #expect(told.all == (isObserved ? ["reads 0→1 t1", "reads 1→2 t2"] : []))
    end(observations)
  }

  @Test("A getter that adds an observer does not lose its first notification", arguments: [false, true])
  func getterThatObserves(isObserved: Bool) {
    struct Watched: Sendable {
      let onRead: @Sendable () -> Void
      var count = 1
      var watched: Int {
        onRead()
        return count
      }
    }
    let (home, token) = (Box<Observed<Watched>>(), Box<Observation>())
    let model = Observed(
      Watched { [told] in
        guard token.get == nil else { return }
        token.set(home.get?.observe(\.count, options: [.initial, .new]) { told.append("\($0.kind) \($0.new ?? -1)") })
      },
      ledger: ledger
    )
    home.set(model)
    let observation = isObserved ? model.observe(\.count) { _ in } : nil
    #expect(model.watched == 1 && told.all == ["initial 1"])
    home.set(nil)
    token.set(nil)
    withExtendedLifetime(observation) {}
  }

  @Test("A setter and a didSet can write the model, in the same transaction", arguments: [false, true])
  func setter(isObserved: Bool) {
    let (model, observations) = model(isObserved: isObserved)
    model.count = 2
    model.count += 1
    model.mutate { $0.count = 4 }
    #expect(model.count == 4 && model.edits == 3)
    #expect(
      told.take()
        == (isObserved
          ? [
            "count 1→2 t1", "edits 0→1 t1", "count 2→3 t2", "edits 1→2 t2", "count 3→4 t3", "edits 2→3 t3",
          ] : [])
    )
    model.both = 5
    #expect(model.snapshot.count == 5 && model.edits == 4 && model.reads == 5)
    #expect(told.all == (isObserved ? ["count 4→5 t4", "edits 3→4 t4", "reads 0→5 t4"] : []))
    end(observations)
  }

  @Test("A write inside a mutation can call code that writes the model", arguments: [false, true])
  func setterInside(isObserved: Bool) {
    let (model, observations) = model(isObserved: isObserved)
    model.mutate { household in
      household.reads = 10
      model.count = 2
      model.count += 1
    }
    #expect(model.count == 3 && model.reads == 10 && model.edits > 0)
    end(observations)
  }

  /// The ways to replace a value.
  enum Door: CaseIterable {
    case assignment
    case inPlace
    case mutate
    case inside

    func write(_ child: Household.Child?, to model: Observed<Household>) {
      switch self {
      case .assignment: model.child = child
      case .inPlace:
        var child = child
        swap(&model.child, &child)
      case .mutate: model.mutate { $0.child = child }
      case .inside: model.mutate { _ in model.child = child }
      }
    }
  }

  @Test("The deinitialiser of a replaced value can use the model", arguments: Door.allCases, [false, true])
  func freed(door: Door, isObserved: Bool) {
    let (model, observations) = model(isObserved: isObserved)
    let freed = Record<String>()
    model.child = Household.Child(home, freed)
    #expect(freed.all.isEmpty)
    door.write(Household.Child(home, freed), to: model)
    #expect(freed.all == ["child freed at 1"] && model.reads == 1)
    door.write(nil, to: model)
    #expect(freed.all.count == 2 && model.reads == 2)
    #expect(told.all == (isObserved ? ["reads 0→1 t3", "reads 1→2 t5"] : []))
    end(observations)
  }

  @Test("The deinitialisers of values that were not kept can use the model", arguments: [false, true])
  func dropped(isObserved: Bool) {
    struct Refused: Error {}
    let (model, observations) = model(isObserved: isObserved)
    let freed = Record<String>()
    model.mutate { _ in
      model.child = Household.Child(home, freed)
      model.child = nil
    }
    #expect(throws: Refused.self) {
      try model.mutate { _ throws(Refused) in
        model.child = Household.Child(home, freed)
        throw Refused()
      }
    }
    model.mutate { household in
      #expect(throws: Refused.self) {
        try model.mutate { _ throws(Refused) in
          model.child = Household.Child(home, freed)
          throw Refused()
        }
      }
      household.count = 7
    }
    #expect(freed.all == ["child freed at 1", "child freed at 1", "child freed at 1"])
    #expect(model.count == 7 && model.reads == 3 && model.child == nil)
    end(observations)
  }

  @Test("The token of another observation can be removed from a model that its handler reads")
  func token() async {
    struct Owner: Sendable {
      var token: Observation?
      var factor = 2
    }
    let owner = Observed(Owner(), ledger: ledger)
    let source = Observed(Numbers(), ledger: ledger)
    let state = Atomic<Int>(0)
    owner.token = source.observe(\.first) { [told] change in
      state.store(1, ordering: .releasing)
      // Long enough for the other thread to remove the token.
      _ = spin { state.load(ordering: .acquiring) == 2 } && spin(.milliseconds(20)) { false }
      told.append("\(change.new ?? -1) times \(owner.factor)")
    }
    let hasEnded = await allEnd(
      { source.first = 3 },
      {
        _ = spin { state.load(ordering: .acquiring) == 1 }
        state.store(2, ordering: .releasing)
        owner.token = nil
      }
    )
    #expect(hasEnded && told.all == ["3 times 2"] && ledger.counts.live == 0)
  }
}
