import KeyValueObserving
import Synchronization
import Testing

@Suite("Cell")
struct CellTests {
  private let ledger = Ledger()
  private let panel = Panel()

  private func model(_ first: Int) -> Observed<Numbers> { Observed(Numbers(first: first), ledger: ledger) }

  @Test("A cell draws immediately when bound, and then only the keys that changed, once per transaction")
  func draws() {
    let cell = Cell(panel)
    let a = model(1)
    #expect(cell.isHidden)
    cell.bind(to: a)
    #expect(!cell.isHidden && ledger.counts.live == 2 && a.observerCount == 1)
    a.first = 2
    a.second = 3
    a.mutate { numbers in
      numbers.first = 4
      numbers.second = 5
    }
    a.name = "is not displayed"
    a.first = 4
    #expect(
      panel.calls.all == [
        "draw first -→1 second -→0", "draw first 1→2", "draw second 0→3", "draw first 2→4 second 3→5",
      ]
    )
    cell.unbind()
    #expect(ledger.counts.live == 0 && !a.isObserved && cell.isHidden && cell.model == nil)
  }

  @Test("A cell that writes to another model while drawing does not wait for that model's handlers")
  func drawsAsHandler() async {
    let (shown, other) = (model(1), model(1))
    let isInside = Atomic<Bool>(false)
    let isDrawn = Atomic<Bool>(false)
    let observation = other.observe(\.first) { change in
      guard change.new == 2 else { return }
      isInside.store(true, ordering: .releasing)
      #expect(spin { isDrawn.load(ordering: .acquiring) })
    }
    let cell = Cell(Panel { _ in other.first = 3 })
    await atOnce(2) { number in
      guard number == 0 else {
        other.first = 2
        return
      }
      #expect(spin { isInside.load(ordering: .acquiring) })
      cell.bind(to: shown)
      isDrawn.store(true, ordering: .releasing)
    }
    #expect(other.first == 3)
    observation.cancel()
    cell.unbind()
  }

  @Test("A cell is hidden until its first drawing is finished")
  func hidden() {
    let seen = Record<Bool>()
    let held = Box<Cell<Panel>>()
    let cell = Cell(Panel { _ in seen.append(held.get?.isHidden ?? false) })
    held.set(cell)
    cell.bind(to: model(1))
    cell.bind(to: model(2))
    #expect(seen.all == [true, true] && !cell.isHidden)
    held.set(nil)
  }

  @Test("A cell bound to another model is notified by the new model once, and not by the previous one")
  func rebind() {
    let cell = Cell(panel)
    let (a, b) = (model(1), model(10))
    cell.bind(to: a)
    cell.bind(to: b)
    _ = panel.calls.take()
    a.first = 2
    #expect(panel.calls.take() == [] && !a.isObserved)
    b.first = 11
    #expect(panel.calls.take() == ["draw first 10→11"] && cell.model === b)
    #expect(ledger.counts.live == 2 && ledger.counts.adds == 4 && ledger.counts.repeatedAdds == 0)
  }

  @Test("Configuring a cell adds no registrations and removes existing ones")
  func configure() {
    let cell = Cell(panel)
    let (a, b) = (model(1), model(10))
    cell.configure(for: a)
    #expect(ledger.counts.adds == 0 && cell.model === a && cell.isHidden && panel.calls.all.isEmpty)
    cell.beginDisplaying()
    cell.configure(for: b)
    #expect(ledger.counts.live == 0 && !a.isObserved && cell.model === b)
    #expect(panel.calls.all == ["draw first -→1 second -→0"])
  }

  @Test("A resumed cell draws the newest value once, or nothing if nothing changed, even if suspended twice")
  func suspend() {
    let cell = Cell(panel)
    let a = model(1)
    cell.bind(to: a)
    _ = panel.calls.take()
    cell.suspend()
    cell.suspend()
    #expect(ledger.counts.live == 0 && !a.isObserved)
    a.first = 2
    a.first = 3
    #expect(panel.calls.all.isEmpty)
    cell.resume()
    cell.resume()
    #expect(panel.calls.take() == ["draw first 1→3"] && ledger.counts.live == 2)
    cell.suspend()
    a.first = 4
    a.first = 3
    cell.resume()
    #expect(panel.calls.take() == [] && ledger.counts.live == 2)
    cell.suspend()
    cell.bind(to: model(7))
    #expect(panel.calls.take() == [] && ledger.counts.live == 0 && cell.isHidden)
    cell.resume()
    #expect(panel.calls.take() == ["draw first -→7 second -→0"] && ledger.counts.live == 2)
  }

  @Test("Releasing a cell removes its observer and frees its model")
  func dropped() {
    let a = model(1)
    weak var freed: Observed<Numbers>?
    weak var freedCell: Cell<Panel>?
    do {
      let b = model(2)
      freed = b
      let (one, two) = (Cell(panel), Cell(Panel()))
      freedCell = one
      one.bind(to: a)
      two.bind(to: b)
      #expect(a.observerCount == 1 && ledger.counts.live == 4)
    }
    #expect(a.observerCount == 0 && !a.isObserved && freed == nil && freedCell == nil && ledger.counts.live == 0)
  }

  @Test("A cell bound to another model while drawing draws the new model when the drawing is finished")
  func bindInside() {
    let (a, b) = (model(1), model(10))
    let held = Box<Cell<Panel>>()
    let panel = Panel { drawing in if drawing.model.first == 2 { held.get?.bind(to: b) } }
    let cell = Cell(panel)
    held.set(cell)
    cell.bind(to: a)
    a.first = 2
    a.first = 3
    b.first = 11
    #expect(
      panel.calls.all == [
        "draw first -→1 second -→0", "draw first 1→2", "draw first -→10 second -→0", "draw first 10→11",
      ]
    )
    #expect(ledger.counts.live == 2 && !a.isObserved)
    held.set(nil)
  }

  @Test("A cell that is bound while registering with an earlier model ends up with the last model")
  func bindWhileRegistering() async {
    let (a, b) = (model(1), model(10))
    let cell = Cell(panel)
    let isTold = Atomic<Bool>(false)
    let observation = a.observe(\.first) { [ledger] _ in
      isTold.store(true, ordering: .releasing)
      // The other thread has started to register and waits for this notification to finish.
      #expect(spin { ledger.counts.adds == 3 })
      cell.bind(to: b)
    }
    await atOnce(2) { number in
      guard number == 0 else {
        a.first = 2
        return
      }
      #expect(spin { isTold.load(ordering: .acquiring) })
      cell.bind(to: a)
    }
    #expect(cell.model === b && a.observerCount == 1 && b.observerCount == 1 && ledger.counts.live == 3)
    observation.cancel()
    a.first = 3
    b.first = 11
    #expect(!a.isObserved && panel.calls.all == ["draw first -→10 second -→0", "draw first 10→11"])
  }

  @Test("A cell bound by several threads shows the last model and is registered only with it")
  func lastBind() async {
    for round in 0..<100 {
      let models = (0..<4).map { model($0 * 1_000) }
      let last = Box<Drawing<Numbers>>()
      let inside = Atomic<Int>(0)
      let cell = Cell(
        Panel { drawing in
          #expect(inside.wrappingAdd(1, ordering: .relaxed).oldValue == 0)
          last.set(drawing)
          inside.wrappingSubtract(1, ordering: .relaxed)
        }
      )
      await withTaskGroup { group in
        for model in models {
          group.addTask {
            for _ in 0..<5 {
              cell.bind(to: model)
              model.first += 1
            }
          }
        }
      }
      let shown = cell.model
      #expect(models.map(\.observerCount) == models.map { $0 === shown ? 1 : 0 }, "round \(round)")
      #expect(last.get?.model == shown?.snapshot && ledger.counts.live == 2)
      cell.unbind()
    }
    #expect(ledger.counts.repeatedAdds == 0 && ledger.counts.live == 0)
  }
}
