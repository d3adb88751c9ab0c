import KeyValueObserving
import Testing

@Suite("Order of notifications")
struct OrderTests {
  private let told = Record<String>()
  private let model = Observed(Numbers(), ledger: Ledger())

  private func observe<Value: Equatable & Sendable>(
    _ name: String,
    _ keyPath: any KeyPath<Numbers, Value> & Sendable,
    _ options: ObservingOptions = []
  ) -> Observation {
    model.observe(keyPath, options: options) { [told] change in
      told.append("\(name) \(change.kind) t\(change.transaction) s\(change.sequence)")
    }
  }

  @Test("A transaction notifies in registration order: all prior notifications, then all others")
  func transaction() {
    let observations = [
      observe("sum", \.sum, [.prior]), observe("second", \.second), observe("first", \.first, [.prior]),
    ]
    model.mutate { numbers in
      numbers.first = 5
      numbers.second = 6
    }
    model.first = 6
    model.name = "none of them"
    model.mutate { numbers in
      numbers.first += 1
      numbers.second -= 1
    }
    #expect(
      told.all == [
        "sum prior t1 s1", "first prior t1 s1", "sum changed t1 s2", "second changed t1 s1", "first changed t1 s2",
        "sum prior t2 s3", "first prior t2 s3", "sum changed t2 s4", "first changed t2 s4",
        // The sum is unchanged, so it is not reported.
        "first prior t4 s5", "second changed t4 s2", "first changed t4 s6",
      ]
    )
    for observation in observations { observation.cancel() }
  }

  @Test("A write by a handler is queued behind the notification in progress, including for later observers")
  func nested() {
    let read = Record<String>()
    let first = model.observe(\.first) { [weak model] change in
      read.append("a \(change.new ?? -1) begins")
      if change.new == 2 {
        model?.first += 10
        model?.first += 10
        read.append("reads \(model?.first ?? -1)")
      }
      read.append("a \(change.new ?? -1) ends")
    }
    let second = model.observe(\.first) { read.append("b \($0.new ?? -1)") }
    model.first = 2
    #expect(
      read.all == [
        "a 2 begins", "reads 2", "a 2 ends", "b 2", "a 12 begins", "a 12 ends", "b 12", "a 22 begins", "a 22 ends",
        "b 22",
      ]
    )
    #expect(model.first == 22)
    first.cancel()
    second.cancel()
  }

  @Test("An observation added in a handler is queued, and its initial notification ignores later writes")
  func observeInside() {
    let inner = Box<Observation>()
    let outer = model.observe(\.first) { [weak model, told] change in
      guard change.new == 2, let model else { return }
      inner.set(
        model.observe(\.first, options: [.initial, .new]) {
          told.append("\($0.kind) \($0.new ?? -1) t\($0.transaction)")
        }
      )
      model.first = 3
      told.append("end")
    }
    model.first = 2
    #expect(told.all == ["end", "initial 2 t1", "changed 3 t2"])
    inner.set(nil)
    outer.cancel()
    #expect(!model.isObserved)
  }

  @Test("Two observations added in a handler start with the number of the completed write")
  func observeTwiceInside() {
    let inner = Record<Observation>()
    let outer = model.observe(\.first) { [weak model, told] change in
      guard change.new == 2, let model else { return }
      for name in ["one", "other"] {
        inner.append(model.observe(\.first, options: .initial) { told.append("\(name) \($0.kind) t\($0.transaction)") })
      }
      model.first = 3
    }
    model.first = 2
    #expect(told.all == ["one initial t1", "other initial t1", "one changed t2", "other changed t2"])
    for observation in inner.take() { observation.cancel() }
    outer.cancel()
  }

  @Test("Unobserved writes are counted, however they are made")
  func unobservedWrites() throws {
    struct Refused: Error {}
    model.first = 2
    model.first += 1
    model.name = "in place"
    model.name?.append("!")
    model.mutate { $0.second = 5 }
    try model.mutate { numbers throws(Refused) in
      guard numbers.second == 5 else { throw Refused() }
      numbers.second = 6
    }
    let observation = observe("first", \.first, .initial)
    model.first = 7
    #expect(told.all == ["first initial t6 s1", "first changed t7 s2"])
    observation.cancel()
  }

  @Test("Handlers of two models can each write to the other model")
  func crossed() {
    let other = Observed(Numbers(), ledger: Ledger())
    let there = model.observe(\.first) { [told] change in
      told.append("here \(change.new ?? -1)")
      if let new = change.new, new < 5 { other.first = new + 1 }
    }
    let back = other.observe(\.first) { [model, told] change in
      told.append("there \(change.new ?? -1)")
      if let new = change.new, new < 5 { model.first = new + 1 }
    }
    model.first = 2
    #expect(told.all == ["here 2", "there 3", "here 4", "there 5"])
    there.cancel()
    back.cancel()
  }

  @Test("A mutation that throws changes nothing and is not reported", arguments: [false, true])
  func thrown(isObserved: Bool) {
    struct Refused: Error {}
    let observation = isObserved ? observe("first", \.first, [.equal]) : nil
    #expect(throws: Refused.self) {
      try model.mutate { numbers throws(Refused) in
        numbers.first = 9
        throw Refused()
      }
    }
    #expect(model.first == 1 && told.all.isEmpty)
    observation?.cancel()
  }
}
