import KeyValueObserving
import Synchronization
import Testing

@Suite("Observing from many threads")
struct ThreadTests {
  private let ledger = Ledger()

  @Test("Writes by eight threads are each reported once, in the order they are made")
  func eight() async {
    let told = Record<ObservedChange<Ticket, Int>>()
    let ticket = Observed(Ticket(number: 1, count: 8), ledger: ledger)
    let observation = ticket.observe(\.count) { told.append($0) }
    let each = repetitions(10_000)
    await atOnce(8) { _ in
      for _ in 0..<each {
        ticket.count -= 1
        ticket.mutate { $0.count += 1 }
      }
    }
    let changes = told.all
    #expect(ticket.count == 8 && changes.count == 16 * each)
    // Compared outside `#expect`, which would print every element.
    let isCounted = changes.map(\.sequence) == Array(1...16 * each)
    let isEveryWrite = changes.map(\.transaction) == Array(1...16 * each)
    #expect(isCounted && isEveryWrite)
    let issues = changes.count { ($0.new ?? 0) == ($0.old ?? 0) - 1 }
    #expect(issues == 8 * each)
    // Each change starts with the value that the previous one ended with.
    let isChain = zip(changes, changes.dropFirst()).allSatisfy { $0.new == $1.old }
    #expect(isChain && changes.first?.old == 8)
    observation.cancel()
  }

  @Test("No write is lost while observers are added and removed")
  func plainAndNot() async {
    let model = Observed(Numbers(), ledger: ledger)
    await atOnce(4) { number in
      for _ in 0..<3_000 {
        if number == 0 {
          model.observe(\.first, options: .initial) { _ in }.cancel()
        } else {
          model.first += 1
        }
      }
    }
    #expect(model.first == 9_001 && !model.isObserved)
    #expect(ledger.counts.adds == 3_000 && ledger.counts.live == 0)
  }

  @Test("A reader sees a transaction completely or not at all")
  func whole() async {
    let model = Observed(Numbers(), ledger: ledger)
    let torn = Atomic<Int>(0)
    await atOnce(4) { number in
      for step in 0..<2_000 {
        guard number < 2 else {
          if model.sum != 1 || model.snapshot.sum != 1 { torn.wrappingAdd(1, ordering: .relaxed) }
          continue
        }
        let observation = step.isMultiple(of: 2) ? model.observe(\.first, options: .prior) { _ in } : nil
        model.mutate { numbers in
          numbers.first += 1
          numbers.second -= 1
        }
        observation?.cancel()
      }
    }
    #expect(torn.load(ordering: .relaxed) == 0 && model.first == 4_001)
  }

  @Test("A handler is never called concurrently with itself or after it has been cancelled")
  func cancelRace() async {
    let model = Observed(Numbers(), ledger: ledger)
    let faults = Atomic<Int>(0)
    await atOnce(4) { number in
      for _ in 0..<2_000 {
        guard number > 1 else {
          model.first += 1
          continue
        }
        let isOver = Atomic<Bool>(false)
        let inside = Atomic<Int>(0)
        let observation = model.observe(\.first, options: [.initial, .prior]) { _ in
          if isOver.load(ordering: .acquiring) || inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 {
            faults.wrappingAdd(1, ordering: .relaxed)
          }
          inside.wrappingSubtract(1, ordering: .relaxed)
        }
        if number == 3 { await Task.yield() }
        observation.cancel()
        isOver.store(true, ordering: .releasing)
      }
    }
    #expect(faults.load(ordering: .relaxed) == 0)
    #expect(ledger.counts.live == 0 && !model.isObserved)
  }

  @Test("Cancelling waits for a handler that is running on another thread")
  func cancelWaits() async {
    let model = Observed(Numbers(), ledger: ledger)
    let state = Atomic<Int>(0)
    let observation = model.observe(\.first) { _ in
      state.store(1, ordering: .releasing)
      // Waits until the other thread is about to cancel, and then long enough for it to return if it did not wait.
      _ = spin { state.load(ordering: .acquiring) == 2 }
      _ = spin(.milliseconds(50)) { false }
      state.store(3, ordering: .releasing)
    }
    await atOnce(2) { number in
      guard number == 0 else {
        model.first = 2
        return
      }
      #expect(spin { state.load(ordering: .acquiring) == 1 })
      state.store(2, ordering: .releasing)
      observation.cancel()
      #expect(state.load(ordering: .acquiring) == 3)
    }
  }

  @Test("Notifications are delivered strictly in order, even by a multithreaded executor")
  func asynchronous() async {
    let each = repetitions(25_000)
    for executor: any DeliveryExecutor in [SerialDeliveryExecutor(), ManyTasks()] {
      let told = Record<Int>()
      let faults = Atomic<Int>(0)
      let inside = Atomic<Int>(0)
      let model = Observed(Numbers(), ledger: ledger)
      let observation = model.observe(\.first, options: .new, delivery: .async(executor)) { change in
        if inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 { faults.wrappingAdd(1, ordering: .relaxed) }
        told.append(change.sequence)
        inside.wrappingSubtract(1, ordering: .relaxed)
      }
      await atOnce(4) { _ in
        for _ in 0..<each { model.first += 1 }
      }
      #expect(await eventually { told.all.count == 4 * each })
      let isInOrder = told.all == Array(1...4 * each)
      #expect(isInOrder && faults.load(ordering: .relaxed) == 0)
      observation.cancel()
    }
  }

  @Test("An executor delivers nothing after cancelling, even if a job is already enqueued")
  func cancelEnqueued() async {
    let executor = Held()
    let told = Record<Int>()
    let model = Observed(Numbers(), ledger: ledger)
    let observation = model.observe(\.first, delivery: .async(executor)) { told.append($0.sequence) }
    for _ in 0..<3 { model.first += 1 }
    #expect(executor.jobs.all.count == 1)
    observation.cancel()
    for job in executor.jobs.take() { job() }
    #expect(told.all.isEmpty)
  }

  @Test("A notification after the last job has delivered everything enqueues another job")
  func enqueuedAgain() {
    let executor = Held()
    let told = Record<Int>()
    let model = Observed(Numbers(), ledger: ledger)
    let observation = model.observe(\.first, delivery: .async(executor)) { told.append($0.new ?? -1) }
    for value in [5, 6] {
      model.first = value
      for job in executor.jobs.take() { job() }
      #expect(told.take() == [value])
    }
    observation.cancel()
  }

  @Test("An executor delivers the notifications that a model sent before it was freed")
  func freed() {
    let executor = Held()
    let told = Record<Int>()
    let observation: Observation
    do {
      let model = Observed(Numbers(), ledger: ledger)
      observation = model.observe(\.first, delivery: .async(executor)) { told.append($0.new ?? -1) }
      model.first = 5
    }
    for job in executor.jobs.take() { job() }
    #expect(told.all == [5] && ledger.counts.live == 0)
    observation.cancel()
  }

  @Test("Two handlers on two threads can cancel each other and write to each other's models")
  func crossed() async {
    for _ in 0..<200 {
      let models = [Observed(Numbers(), ledger: ledger), Observed(Numbers(), ledger: ledger)]
      let tokens = [Box<Observation>(), Box<Observation>()]
      let inside = Atomic<Int>(0)
      for number in 0...1 {
        tokens[number].set(
          models[number].observe(\.first) { _ in
            // Either both handlers are running, or one has already cancelled the other.
            inside.wrappingAdd(1, ordering: .relaxed)
            for _ in 0..<1_000 where inside.load(ordering: .relaxed) < 2 {}
            models[1 - number].second += 1
            tokens[1 - number].get?.cancel()
          }
        )
      }
      await atOnce(2) { models[$0].first += 1 }
      #expect(models.allSatisfy { $0.first == 2 && $0.second <= 1 })
      for token in tokens { token.set(nil) }
      #expect(ledger.counts.live == 0)
    }
  }

  @Test("A task started by a handler does not count as inside the handler")
  func taskInside() async {
    let model = Observed(Numbers(), ledger: ledger)
    let seen = Record<Int>()
    let done = Box<Task<Void, Never>>()
    let observation = model.observe(\.first) { change in
      guard change.new == 2 else { return }
      done.set(
        Task {
          model.first = 3
          seen.append(model.first)
        }
      )
    }
    model.first = 2
    await done.get?.value
    #expect(seen.all == [3])
    observation.cancel()
    done.set(nil)
  }
}

/// An executor that runs each job in its own task.
private struct ManyTasks: DeliveryExecutor {
  func enqueue(_ job: @escaping @Sendable () -> Void) { Task.detached { job() } }
}

/// An executor that keeps its jobs until the test runs them.
private final class Held: DeliveryExecutor {
  let jobs = Record<@Sendable () -> Void>()

  func enqueue(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }
}
