import KeyValueObserving
import Synchronization
import Testing

@Suite("Objects as observers")
struct ObjectTests {
  private let ledger = Ledger(isStrict: true)

  @Test("An object is held weakly, and its observation ends with it")
  func weak() throws {
    let told = Record<String>()
    let model = Observed(Numbers(), ledger: ledger)
    var object: Record<Int>? = Record()
    weak let freed = object
    if let object {
      #expect(model.addObserver(object, forKey: \.first) { $0.append($1.new ?? -1) })
      #expect(model.addObserver(object, forKey: \.second) { _, change in told.append("\(change.new ?? -1)") })
      #expect(!model.addObserver(object, forKey: \.first) { _, _ in told.append("added again") })
    }
    model.first = 2
    model.second = 3
    #expect(object?.all == [2] && told.take() == ["3"])
    #expect(model.observerCount == 2 && ledger.counts.live == 2 && ledger.counts.repeatedAdds == 1)
    #expect(Set(ledger.entries.map(\.observer)).count == 1)
    object = nil
    #expect(freed == nil)
    model.second = 4
    #expect(told.all.isEmpty && ledger.counts.live == 0 && ledger.counts.removes == 2)
    #expect(model.observerCount == 0 && !model.isObserved)
  }

  @Test("The number of observers does not include objects that have been freed, even before the next write")
  func counted() {
    let model = Observed(Numbers(), ledger: ledger)
    let stays = Record<Int>()
    model.addObserver(stays, forKey: \.first) { $0.append($1.new ?? -1) }
    model.addObserver(Record<Int>(), forKey: \.first) { $0.append($1.new ?? -1) }
    #expect(model.observerCount == 1 && model.isObserved && ledger.counts.live == 1)
    model.first = 2
    #expect(stays.all == [2])
  }

  @Test("Objects that follow one another, perhaps at the same address, are different observers")
  func reused() {
    let model = Observed(Numbers(), ledger: ledger)
    for value in 2..<102 {
      let object = Record<Int>()
      #expect(model.addObserver(object, forKey: \.first) { $0.append($1.new ?? -1) })
      model.first = value
      #expect(object.all == [value])
    }
    #expect(model.observerCount == 0 && ledger.counts.adds == 100 && ledger.counts.repeatedAdds == 0)
  }

  @Test("An object can be removed earlier, and a strict ledger throws if it is removed twice")
  func removed() throws {
    let model = Observed(Numbers(), ledger: ledger)
    let object = Record<Int>()
    model.addObserver(object, forKey: \.first) { $0.append($1.new ?? -1) }
    try model.removeObserver(object, forKey: \.first)
    model.first = 2
    #expect(object.all.isEmpty && !model.isObserved)
    #expect(throws: LedgerError.self) { try model.removeObserver(object, forKey: \.first) }
  }

  @Test("Objects that are freed while other threads write leave no registrations")
  func threads() async {
    let model = Observed(Numbers(first: 0), ledger: ledger)
    await atOnce(4) { number in
      for _ in 0..<1_000 {
        if number < 2 {
          let object = Record<Int>()
          model.addObserver(object, forKey: \.first) { $0.append($1.new ?? -1) }
          model.first += 1
          #expect(!object.all.isEmpty)
        } else {
          model.first += 1
        }
      }
    }
    #expect(model.first == 4_000 && model.observerCount == 0 && !model.isObserved && ledger.counts.live == 0)
  }

  @Test("An object whose deinitialiser uses the model can be freed while the model looks for freed objects")
  func deinitialiser() async {
    final class User: Sendable {
      let model: Observed<Numbers>
      let freed: Record<Int>

      init(_ model: Observed<Numbers>, _ freed: Record<Int>) { (self.model, self.freed) = (model, freed) }

      deinit { freed.append(model.first) }
    }
    let model = Observed(Numbers(first: 0), ledger: ledger)
    let freed = Record<Int>()
    let hasEnded = await allEnd(
      {
        for _ in 0..<20_000 {
          let user = User(model, freed)
          model.addObserver(user, forKey: \.second) { _, _ in }
        }
      },
      { for _ in 0..<20_000 { model.first += model.observerCount.signum() } }
    )
    #expect(hasEnded && freed.all.count == 20_000)
    #expect(model.observerCount == 0 && !model.isObserved && ledger.counts.live == 0)
  }

  @Test("Adding many objects removes those that have been freed, also without a write")
  func many() {
    let model = Observed(Numbers(), ledger: ledger)
    let stays = (0..<40).map { _ in Record<Int>() }
    for object in stays { model.addObserver(object, forKey: \.first) { $0.append($1.new ?? -1) } }
    for _ in 0..<1_000 { model.addObserver(Record<Int>(), forKey: \.first) { $0.append($1.new ?? -1) } }
    #expect(ledger.counts.adds == 1_040 && ledger.counts.live < 200)
    model.first = 2
    #expect(stays.allSatisfy { $0.all == [2] } && ledger.counts.live == 40)
  }
}
