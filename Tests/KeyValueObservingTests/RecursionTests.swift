import KeyValueObserving
import Testing

@Suite("Accesses inside an access to the same model", .timeLimit(.minutes(5)), .serialized)
struct RecursionTests {
  private let told = Record<String>()
  private let ledger = Ledger()

  /// A model whose changes are recorded if it is observed.
  private func model(isObserved: Bool) -> (Observed<Numbers>, [Observation]) {
    let model = Observed(Numbers(first: 1, second: 2), ledger: ledger)
    guard isObserved else { return (model, []) }
    let keys: [(String, any KeyPath<Numbers, Int> & Sendable)] = [("first", \.first), ("second", \.second)]
    return (
      model,
      keys.map { name, keyPath in
        model.observe(keyPath) { [told] change in
          told.append("\(name) \(change.old ?? -1)→\(change.new ?? -1) t\(change.transaction)")
        }
      }
    )
  }

  @Test("Two keys of a model can be swapped", arguments: [false, true])
  func swapped(isObserved: Bool) {
    let (model, observations) = model(isObserved: isObserved)
    swap(&model.first, &model.second)
    #expect(model.snapshot == Numbers(first: 2, second: 1))
    #expect(told.all == (isObserved ? ["first 1→2 t1", "second 2→1 t1"] : []))
    withExtendedLifetime(observations) {}
  }

  @Test("Two keys that are not bitwise copyable can be swapped")
  func swappedStrings() {
    struct Names: Sendable { var (first, second) = (["a", "b"], ["c"]) }
    let names = Observed(Names(), ledger: ledger)
    swap(&names.first, &names.second)
    #expect(names.first == ["c"] && names.second == ["a", "b"])
  }

  @Test("A mutation reads the model as it was before", arguments: [false, true])
  func readInside(isObserved: Bool) {
    let (model, observations) = model(isObserved: isObserved)
    model.mutate { numbers in
      numbers.first = model.second
      #expect(numbers.first == 2 && model.first == 1 && model.sum == 3)
      #expect(model.snapshot == Numbers(first: 1, second: 2) && model.observerCount == observations.count)
    }
    #expect(model.snapshot == Numbers(first: 2, second: 2))
    #expect(told.all == (isObserved ? ["first 1→2 t1"] : []))
  }

  @Test(
    "Writes to the model inside a mutation join its transaction, each on the newest value",
    arguments: [false, true]
  )
  func writtenInside(isObserved: Bool) throws {
    let (model, observations) = model(isObserved: isObserved)
    model.mutate { numbers in
      numbers.first = 10
      model.second += 1
      model.second += 1
      #expect(model.second == 2)
    }
    #expect(model.snapshot == Numbers(first: 10, second: 4))
    #expect(told.all == (isObserved ? ["first 1→10 t1", "second 2→4 t1"] : []))
    #expect(model.isObserved == isObserved)
    withExtendedLifetime(observations) {}
  }

  @Test("A mutation inside another one replaces what that one did", arguments: [false, true])
  func mutatedInside(isObserved: Bool) {
    let (model, observations) = model(isObserved: isObserved)
    let sum = model.mutate { numbers in
      numbers.first = 10
      return model.mutate { inner in
        inner.second = 20
        return inner.sum
      }
    }
    #expect(sum == 21 && model.snapshot == Numbers(first: 1, second: 20))
    #expect(told.all == (isObserved ? ["second 2→20 t1"] : []))
    withExtendedLifetime(observations) {}
  }

  @Test("A mutation that throws also discards the writes to the model inside it", arguments: [false, true])
  func thrownInside(isObserved: Bool) {
    struct Refused: Error {}
    let (model, observations) = model(isObserved: isObserved)
    func refuse(_ value: Int) throws(Refused) {
      try model.mutate { numbers throws(Refused) in
        numbers.first = value
        model.second = value
        throw Refused()
      }
    }
    #expect(throws: Refused.self) { try refuse(10) }
    #expect(model.snapshot == Numbers(first: 1, second: 2) && told.all.isEmpty && model.isObserved == isObserved)
    // What was written before the inner mutation stays.
    model.mutate { numbers in
      model.second = 5
      #expect(throws: Refused.self) { try refuse(10) }
      numbers.first = 6
    }
    #expect(model.snapshot == Numbers(first: 6, second: 5))
    #expect(told.all == (isObserved ? ["first 1→6 t1", "second 2→5 t1"] : []))
    withExtendedLifetime(observations) {}
  }

  @Test("An observer added or removed inside a mutation is notified of it or not, and the ledger agrees")
  func observedInside() {
    let (model, _) = model(isObserved: false)
    let observation = model.mutate { numbers in
      numbers.first = 5
      return model.observe(\.first, options: [.initial, .old, .new]) { [told] change in
        told.append("\(change.kind) \(change.old ?? -1)→\(change.new ?? -1)")
      }
    }
    #expect(told.take() == ["initial -1→1", "changed 1→5"])
    model.mutate { numbers in
      numbers.first = 6
      observation.cancel()
    }
    #expect(told.all.isEmpty && model.first == 6 && !model.isObserved && ledger.counts.live == 0)
  }

  @Test("Accesses inside accesses lose no write of other threads")
  func threads() async {
    let model = Observed(Numbers(first: 0, second: 0), ledger: ledger)
    let observation = model.observe(\.second) { _ in }
    await atOnce(4) { number in
      for _ in 0..<2_000 {
        if number == 0 {
          swap(&model.first, &model.second)
        } else {
          model.mutate { numbers in
            numbers.first += 1
            _ = model.sum
          }
        }
      }
    }
    #expect(model.sum == 6_000)
    observation.cancel()
    #expect(!model.isObserved)
  }
}
