import KeyValueObserving
import Testing

/// A value whose deinitialiser runs a closure.
private final class Farewell: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

private struct Guest: Sendable {
  var count = 1
  var farewell: Farewell?
}

private final class GuestContent: CellContent {
  static let displayKeys = [ObservedKey(\Guest.count)]
  let farewell: Farewell?
  init(_ farewell: Farewell? = nil) { self.farewell = farewell }
  func draw(_ drawing: Drawing<Guest>) {}
}

@Suite("Values freed by cells and viewports", .timeLimit(.minutes(5)))
struct FreedTests {
  private let told = Record<String>()
  private let ledger = Ledger()

  @Test("The deinitialiser of a value that a cell has drawn can use the cell")
  func cell() {
    let home = Box<Cell<GuestContent>>()
    home.set(Cell(GuestContent()))
    func model() -> Observed<Guest> {
      let farewell = Farewell { [told] in told.append("freed, hidden: \(home.get?.isHidden == true)") }
      return Observed(Guest(farewell: farewell), ledger: ledger)
    }
    home.get?.bind(to: model())
    // The cell keeps the model that it has drawn last.
    home.get?.model?.mutate { $0 = Guest(count: 2) }
    #expect(told.take() == ["freed, hidden: false"])
    home.get?.bind(to: model())
    home.get?.bind(to: model())
    #expect(told.take().count == 1)
    home.get?.unbind()
    #expect(told.all.count == 1 && ledger.counts.live == 0)
    home.set(nil)
  }

  @Test("The deinitialisers of a viewport's models and contents can use the viewport")
  func viewport() {
    let home = Box<Viewport<Int, GuestContent>>()
    @Sendable func farewell(_ name: String) -> Farewell {
      Farewell { [told] in told.append("\(name) \(home.get?.items.count ?? -1)") }
    }
    func model(_ name: String) -> Observed<Guest> { Observed(Guest(farewell: farewell(name)), ledger: ledger) }
    let viewport = Viewport<Int, GuestContent> { GuestContent(farewell("content")) }
    home.set(viewport)
    viewport.setItems([(1, model("a")), (2, model("b")), (3, model("c"))])
    viewport.setVisible(0..<1)
    viewport.delete(3)
    viewport.insert(2, model("d"), at: 1)
    #expect(told.take() == ["c 2", "b 2"])
    viewport.setItems([(1, model("e"))])
    #expect(told.take().sorted() == ["a 1", "d 1"])
    viewport.close()
    #expect(told.take() == ["content 0", "e 0"])
    viewport.setItems([(1, model("f"))])
    #expect(told.all == ["f 0"] && ledger.counts.live == 0)
    home.set(nil)
  }
}
