import KeyValueObserving
import Testing

@Suite("Lifetime of an observation")
struct LifetimeTests {
  private let told = Record<Int>()
  private let ledger = Ledger()

  @Test("Releasing the token ends the observation of the model")
  func token() {
    let model = Observed(Numbers(), ledger: ledger)
    do {
      let observation = model.observe(\.first) { [told] in told.append($0.new ?? -1) }
      model.first = 2
      #expect(model.observerCount == 1 && model.isObserved && ledger.counts.live == 1)
      withExtendedLifetime(observation) {}
    }
    model.first = 3
    #expect(told.all == [2])
    #expect(model.observerCount == 0 && !model.isObserved && ledger.counts.live == 0)
  }

  @Test("An observation can be cancelled twice")
  func twice() {
    let model = Observed(Numbers(), ledger: ledger)
    let observation = model.observe(\.first) { [told] in told.append($0.new ?? -1) }
    observation.cancel()
    observation.cancel()
    model.first = 3
    #expect(told.all.isEmpty)
    #expect(ledger.counts.adds == 1 && ledger.counts.removes == 1 && ledger.counts.unmatchedRemovals == 0)
  }

  @Test("An observation is removed from the ledger once, even if a value captured by its handler cancels it again")
  func cancelledByItsHandler() {
    final class Canceller: Sendable {
      let token: Box<Observation>
      init(_ token: Box<Observation>) { self.token = token }
      deinit { token.get?.cancel() }
    }
    let model = Observed(Numbers(), ledger: ledger)
    let token = Box<Observation>()
    let canceller = Box<Canceller>()
    canceller.set(Canceller(token))
    token.set(model.observe(\.first) { [held = canceller.get] _ in withExtendedLifetime(held) {} })
    canceller.set(nil)
    token.get?.cancel()
    #expect(ledger.counts.adds == 1 && ledger.counts.removes == 1 && ledger.counts.live == 0)
    token.set(nil)
  }

  @Test("An observation can end in its first notification, and other observers are still notified")
  func first() {
    let model = Observed(Numbers(), ledger: ledger)
    let token = Box<Observation>()
    token.set(
      model.observe(\.first) { [told] change in
        told.append(change.new ?? -1)
        token.get?.cancel()
      }
    )
    let other = model.observe(\.first) { [told] in told.append(100 + ($0.new ?? -1)) }
    model.first = 2
    model.first = 3
    #expect(told.all == [2, 102, 103])
    token.set(nil)
    other.cancel()
    #expect(!model.isObserved && ledger.counts.live == 0)
  }

  @Test("An observation can be cancelled by an observer that is notified before it")
  func another() {
    let model = Observed(Numbers(), ledger: ledger)
    let token = Box<Observation>()
    let former = model.observe(\.first) { _ in token.get?.cancel() }
    token.set(model.observe(\.first) { [told] in told.append($0.new ?? -1) })
    model.first = 2
    #expect(told.all.isEmpty && model.observerCount == 1)
    former.cancel()
  }

  @Test("An observation does not retain the model, and its token can outlive the model")
  func modelFirst() {
    weak var freed: Observed<Numbers>?
    let observation: Observation
    do {
      let model = Observed(Numbers(), ledger: ledger)
      freed = model
      observation = model.observe(\.first) { [told] in told.append($0.new ?? -1) }
      model.first = 2
    }
    #expect(freed == nil && ledger.counts.live == 0 && ledger.counts.removes == 1)
    observation.cancel()
    observation.cancel()
    #expect(told.all == [2] && ledger.counts.removes == 1)
  }

  @Test("Cancelling an observation frees the values captured by its handler")
  func handler() {
    let model = Observed(Numbers(), ledger: ledger)
    weak var freed: Record<String>?
    let observation: Observation
    do {
      let held = Record<String>()
      freed = held
      observation = model.observe(\.first) { held.append("\($0.kind)") }
    }
    #expect(freed != nil)
    observation.cancel()
    #expect(freed == nil)
  }
}

@Suite("Ledger")
struct LedgerTests {
  private let ledger = Ledger(isStrict: true)

  @Test("A registration is identified by model, key and observer together")
  func identity() throws {
    let told = Record<String>()
    let (model, other) = (Observed(Numbers(), ledger: ledger), Observed(Numbers(), ledger: ledger))
    let (one, two) = (ObserverID("one"), ObserverID("two"))
    func add(_ name: String, _ observer: ObserverID, _ model: Observed<Numbers>) -> Bool {
      model.addObserver(observer, forKey: \.first) { told.append("\(name) \($0.new ?? -1)") }
    }
    #expect(add("first", one, model))
    #expect(!add("again", one, model))
    #expect(add("second observer", two, model))
    #expect(add("other model", one, other))
    #expect(model.addObserver(one, forKey: \.second) { told.append("other key \($0.new ?? -1)") })
    model.first = 2
    other.first = 3
    model.second = 4
    #expect(told.all == ["first 2", "second observer 2", "other model 3", "other key 4"])
    #expect(ledger.counts.adds == 4 && ledger.counts.live == 4 && ledger.counts.repeatedAdds == 1)
    #expect(ledger.entries.map(\.observer) == [one, one, two, one])
    #expect(ledger.entries.map(\.model) == [model.id, model.id, model.id, other.id])

    try model.removeObserver(one, forKey: \.first)
    model.first = 5
    other.first = 6
    #expect(told.take().suffix(2) == ["second observer 5", "other model 6"])
    #expect(model.addObserver(one, forKey: \.first) { told.append("anew \($0.new ?? -1)") })
    model.first = 7
    #expect(told.all == ["second observer 7", "anew 7"])
  }

  @Test("A strict ledger throws when an observer that is not registered is removed, and names key and observer")
  func strict() throws {
    let model = Observed(Numbers(), ledger: ledger)
    let observer = ObserverID("header")
    model.addObserver(observer, forKey: \.first) { _ in }
    try model.removeObserver(observer, forKey: \.first)
    let error = #expect(throws: LedgerError.self) { try model.removeObserver(observer, forKey: \.first) }
    #expect(
      error?.description
        == "cannot remove \(observer) from \\Numbers.first of \(model.id): it is not registered there; "
        + "add it first, or remove it once"
    )
    #expect(ledger.counts == counts(adds: 1, removes: 1, unmatched: 1))
    #expect(!model.isObserved)
  }

  @Test("A ledger that is not strict only counts the removal of an observer that is not registered")
  func lenient() throws {
    let ledger = Ledger()
    let model = Observed(Numbers(), ledger: ledger)
    try model.removeObserver(ObserverID(), forKey: \.first)
    #expect(ledger.counts == counts(adds: 0, removes: 0, unmatched: 1))
  }

  private func counts(adds: Int, removes: Int, unmatched: Int) -> Ledger.Counts {
    Ledger.Counts(adds: adds, removes: removes, repeatedAdds: 0, unmatchedRemovals: unmatched)
  }
}
