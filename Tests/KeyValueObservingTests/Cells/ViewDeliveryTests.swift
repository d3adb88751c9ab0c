import Dispatch
import KeyValueObserving
import Synchronization
import Testing

@Suite("Delivery to cells and viewports", .timeLimit(.minutes(5)))
struct ViewDeliveryTests {
  private let ledger = Ledger()

  private func model(_ first: Int) -> Observed<Numbers> { Observed(Numbers(first: first), ledger: ledger) }

  @Test("A cell with an executor registers immediately, and is hidden until the executor has drawn")
  func cell() {
    let executor = Held()
    let cell = Cell(Panel(), delivery: .async(executor))
    let a = model(1)
    cell.bind(to: a)
    #expect(ledger.counts.live == 2 && cell.isHidden && cell.content.calls.all.isEmpty)
    a.first = 2
    #expect(executor.run() == 1)
    #expect(!cell.isHidden && cell.content.calls.take() == ["draw first -→1 second -→0", "draw first 1→2"])
    a.first = 3
    #expect(executor.run() == 1 && cell.content.calls.take() == ["draw first 2→3"])
    a.first = 4
    cell.suspend()
    #expect(executor.run() == 1 && cell.content.calls.all.isEmpty)
    cell.resume()
    #expect(executor.run() == 1 && cell.content.calls.take() == ["draw first 3→4"])
  }

  @Test("An executor draws nothing of a previous model, nor of a cell that has been freed")
  func former() {
    let executor = Held()
    let (a, b) = (model(1), model(10))
    let panel = Panel()
    do {
      let cell = Cell(panel, delivery: .async(executor))
      cell.bind(to: a)
      cell.bind(to: b)
      _ = executor.run()
      #expect(panel.calls.take() == ["draw first -→10 second -→0"] && !a.isObserved)
      b.first = 11
      cell.unbind()
      _ = executor.run()
      #expect(panel.calls.all.isEmpty && cell.isHidden && !b.isObserved)
      cell.bind(to: a)
    }
    _ = executor.run()
    #expect(panel.calls.all.isEmpty && ledger.counts.live == 0)
  }

  @Test("Unbinding a cell waits for a drawing on the executor")
  func unbindWaits() async {
    let state = Atomic<Int>(0)
    let panel = Panel { _ in
      state.store(1, ordering: .releasing)
      _ = spin { state.load(ordering: .acquiring) == 2 }
      _ = spin(.milliseconds(50)) { false }
      state.store(3, ordering: .releasing)
    }
    let cell = Cell(panel, delivery: .async(Queue()))
    cell.bind(to: model(1))
    #expect(await eventually { state.load(ordering: .acquiring) == 1 })
    state.store(2, ordering: .releasing)
    cell.unbind()
    #expect(state.load(ordering: .acquiring) == 3 && cell.isHidden)
  }

  @Test("A viewport populated in the background calls its contents only on the main actor")
  func mainActor() async {
    let panels = Record<Panel>()
    // Ends the process elsewhere.
    let check: @Sendable () -> Void = { MainActor.preconditionIsolated() }
    let viewport = Viewport<Int, Panel>(columns: 2, delivery: .mainActor) {
      check()
      let panel = Panel { _ in check() }
      panels.append(panel)
      return panel
    }
    let items = (0..<20).map { (id: $0, model: model($0)) }
    await atOnce(4) { number in
      if number == 0 { viewport.setItems(items) }
      for step in 0..<100 {
        if number < 2 { viewport.setVisible(step % 15..<step % 15 + 4) } else { items[step % 20].model.second += 1 }
      }
    }
    viewport.setItems(items)
    viewport.setVisible(2..<6)
    #expect(await eventually { viewport.visibleCells.map(\.item) == [2, 3, 4, 5] })
    #expect(await eventually { viewport.visibleCells.allSatisfy { !$0.cell.isHidden } })
    // Cells that were replaced are given back on the main actor, too.
    #expect(await eventually { ledger.counts.live == 8 })
    #expect(panels.all.count >= 4)
    viewport.close()
    #expect(await eventually { viewport.visibleCells.isEmpty && ledger.counts.live == 0 })
  }

  @Test("A viewport with an executor makes the same calls in the same order as without one")
  func sameCalls() {
    let executor = Held()
    let transcripts = [Delivery.synchronous, .async(executor)].map { delivery in
      let panels = Record<Panel>()
      let viewport = Viewport<Int, Panel>(columns: 2, delivery: delivery) {
        let panel = Panel()
        panels.append(panel)
        return panel
      }
      let items = (0..<5).map { (id: $0, model: model($0)) }
      let steps: [() -> Void] = [
        { viewport.setItems(items) }, { viewport.setVisible(1..<3) }, { items[1].model.second = 5 },
        { viewport.setVisible(2..<4) }, { viewport.delete(0) }, { viewport.suspend() }, { items[3].model.first = 9 },
        { viewport.resume() }, { viewport.close() },
      ]
      for step in steps {
        step()
        while executor.run() > 0 {}
      }
      return panels.all.map(\.calls.all)
    }
    #expect(transcripts[0] == transcripts[1] && transcripts[0].count == 2)
  }

  @Test("A viewport that is released without being closed ends its cells and views, on its executor if it has one")
  func released() {
    let executor = Held()
    for delivery in [Delivery.synchronous, .async(executor)] {
      let panels = Record<Panel>()
      let header = Cell(Panel())
      do {
        let viewport = Viewport<Int, Panel>(delivery: delivery) {
          let panel = Panel()
          panels.append(panel)
          return panel
        }
        header.configure(for: Observed(Numbers(), ledger: ledger))
        viewport.willDisplay(header, at: SupplementaryPlace(.header, section: 0))
        viewport.setItems((0..<3).map { ($0, Observed(Numbers(), ledger: ledger)) })
        viewport.setVisible(0..<2)
        _ = executor.run()
        for panel in panels.all { _ = panel.calls.take() }
      }
      #expect(ledger.counts.live == 0 && header.model == nil)
      _ = executor.run()
      #expect(panels.all.map { $0.calls.take() } == [["end"], ["end"]])
    }
  }
}

/// An executor with its own thread, so that a job that blocks does not block the tests.
private struct Queue: DeliveryExecutor {
  private let queue = DispatchQueue(label: "view")

  func enqueue(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}

/// An executor that keeps its jobs until the test runs them.
private final class Held: DeliveryExecutor {
  private let jobs = Record<@Sendable () -> Void>()

  func enqueue(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }

  /// Runs the jobs and returns their number.
  func run() -> Int {
    let jobs = jobs.take()
    for job in jobs { job() }
    return jobs.count
  }
}
