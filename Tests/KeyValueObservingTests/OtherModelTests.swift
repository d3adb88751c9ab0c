import KeyValueObserving
import Synchronization
import Testing

@Suite("Writes to a model inside an access to another", .timeLimit(.minutes(5)))
struct OtherModelTests {
  private let told = Record<String>()
  private let ledger = Ledger()
  private let outer: Observed<Numbers>
  private let inner: Observed<Numbers>

  init() {
    outer = Observed(Numbers(), ledger: ledger)
    inner = Observed(Numbers(), ledger: ledger)
  }

  @Test("Their notifications are delivered when the access has ended, in order", arguments: [false, true])
  func deferred(isObserved: Bool) {
    let observations = [
      inner.observe(\.first) { [told, outer] in told.append("inner \($0.new ?? -1) outer \(outer.first)") },
      isObserved ? outer.observe(\.first) { [told] in told.append("outer \($0.new ?? -1)") } : nil,
    ]
    outer.mutate { numbers in
      numbers.first = 10
      inner.first = 2
      inner.first += 1
      #expect(inner.first == 1 && told.all.isEmpty)
    }
    // The write to the inner model was made first, so it is reported before that to the outer one takes effect.
    #expect(
      told.all
        == (isObserved
          ? ["inner 2 outer 1", "inner 3 outer 1", "outer 10"] : ["inner 2 outer 10", "inner 3 outer 10"])
    )
    #expect(inner.first == 3)
    withExtendedLifetime(observations) {}
  }

  @Test("They are delivered at the end of the outermost access, also of a getter and of a throwing one")
  func outermost() {
    struct Refused: Error {}
    struct Writer: Sendable {
      let other: Observed<Numbers>
      var written: Int {
        other.first += 1
        return other.first
      }
    }
    let observation = inner.observe(\.first) { [told] in told.append("\($0.new ?? -1)") }
    let writer = Observed(Writer(other: inner), ledger: ledger)
    #expect(writer.written == 1 && told.take() == ["2"])
    outer.mutate { _ in
      _ = writer.written
      #expect(told.all.isEmpty)
    }
    #expect(told.take() == ["3"])
    #expect(throws: Refused.self) {
      try outer.mutate { _ throws(Refused) in
        inner.first += 1
        throw Refused()
      }
    }
    #expect(told.all == ["4"])
    observation.cancel()
  }

  @Test("A cell that is bound inside an access draws when the access has ended")
  func bound() {
    let cell = Cell(Panel { [outer, told] _ in told.append("outer \(outer.first)") })
    let viewport = Viewport<Int, Panel> { Panel { [told] _ in told.append("viewport") } }
    outer.mutate { numbers in
      numbers.first = 10
      cell.bind(to: inner)
      viewport.setItems([(1, inner)])
      viewport.setVisible(0..<1)
      #expect(cell.isHidden && viewport.visibleCells.isEmpty && told.all.isEmpty)
    }
    #expect(told.all == ["outer 10", "viewport"])
    viewport.close()
    cell.unbind()
  }

  @Test("A handler can read the model whose access made the write, on any thread")
  func crossed() async {
    let observation = inner.observe(\.first) { [outer] _ in _ = outer.first }
    let hasEnded = await allEnd(
      { [outer, inner] in
        for _ in 0..<10_000 {
          outer.mutate { numbers in
            numbers.first += 1
            inner.first += 1
          }
        }
      },
      { [inner] in for _ in 0..<10_000 { inner.first += 1 } }
    )
    #expect(hasEnded && outer.first == 10_001 && inner.first == 20_001)
    observation.cancel()
  }

  @Test("Cancelling inside an access does not wait for a handler that waits for the model")
  func cancelled() async {
    let (outer, inner) = (outer, inner)
    let state = Atomic<Int>(0)
    let observation = inner.observe(\.first) { [told] change in
      state.store(1, ordering: .releasing)
      _ = spin { state.load(ordering: .acquiring) == 2 }
      told.append("\(change.new ?? -1) outer \(outer.first)")
    }
    let hasEnded = await allEnd(
      { inner.first = 2 },
      {
        _ = spin { state.load(ordering: .acquiring) == 1 }
        outer.mutate { numbers in
          state.store(2, ordering: .releasing)
          // Long enough for the handler to wait for the model.
          _ = spin(.milliseconds(20)) { false }
          observation.cancel()
          numbers.first = 10
        }
        inner.first = 3
      }
    )
    #expect(hasEnded && told.all == ["2 outer 10"] && inner.first == 3)
    #expect(!inner.isObserved && ledger.counts.live == 0)
  }
}
