import KeyValueObserving
import Testing

@Suite("Changes as an asynchronous sequence", .timeLimit(.minutes(5)))
struct StreamTests {
  private let ledger = Ledger()

  @Test("A sequence contains all changes since it was made, in order, and ends with the model")
  func untilTheEnd() async {
    var model: Observed<Numbers>? = Observed(Numbers(), ledger: ledger)
    weak let freed = model
    let changes = model?.changes(of: \.first, options: .initial)
    for value in 2...1_000 { model?.first = value }
    #expect(ledger.counts.live == 1)
    model = nil
    #expect(freed == nil && ledger.counts.live == 0)
    var seen: [Int] = []
    if let changes { for await change in changes { seen.append(change.new) } }
    #expect(seen == Array(1...1_000))
  }

  @Test("A waiting consumer is resumed by the next change, and by the end of the model")
  func waiting() async {
    var model: Observed<Numbers>? = Observed(Numbers(), ledger: ledger)
    let seen = Record<Int>()
    guard let changes = model?.changes(ofKeys: Panel.displayKeys) else { return }
    let consumer = Task { for await change in changes { seen.append(change.new.sum) } }
    model?.mutate { numbers in
      numbers.first = 10
      numbers.second = 20
    }
    #expect(await eventually { seen.all == [30] })
    model = nil
    await consumer.value
    #expect(seen.all == [30])
  }

  @Test("Cancelling the consumer's task ends the observation")
  func cancelled() async {
    let model = Observed(Numbers(), ledger: ledger)
    let changes = model.changes(of: \.first)
    let consumer = Task { for await _ in changes {} }
    #expect(model.isObserved)
    consumer.cancel()
    await consumer.value
    #expect(ledger.counts.live == 0 && !model.isObserved)
  }

  @Test("A sequence with a limit keeps the newest or the oldest changes, and its numbers show the gap")
  func limited() async {
    var model: Observed<Numbers>? = Observed(Numbers(), ledger: ledger)
    let newest = model?.changes(of: \.first, bufferingPolicy: .bufferingNewest(2))
    let oldest = model?.changes(of: \.first, bufferingPolicy: .bufferingOldest(2))
    for value in 2...10 { model?.first = value }
    model = nil
    var seen: [[Int]] = []
    for changes in [newest, oldest] {
      var numbers: [Int] = []
      if let changes { for await change in changes { numbers += [change.sequence, change.old, change.new] } }
      seen.append(numbers)
    }
    #expect(seen == [[8, 8, 9, 9, 9, 10], [1, 1, 2, 2, 2, 3]])
  }

  @Test("Releasing a sequence ends its observation, whether or not it was iterated")
  func released() async {
    let model = Observed(Numbers(), ledger: ledger)
    do {
      let changes = model.changes(of: \.name)
      model.name = "1010"
      #expect(model.observerCount == 1)
      withExtendedLifetime(changes) {}
    }
    #expect(model.observerCount == 0)
    do {
      for await change in model.changes(of: \.first, options: .initial) {
        #expect(change.new == 1)
        break
      }
    }
    #expect(!model.isObserved && ledger.counts.live == 0)
  }
}
