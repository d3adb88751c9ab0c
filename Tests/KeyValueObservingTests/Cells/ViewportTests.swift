import KeyValueObserving
import Testing

@Suite("Viewport")
struct ViewportTests {
  private let ledger = Ledger()

  private func models(_ count: Int) -> [(id: Int, model: Observed<Numbers>)] {
    (0..<count).map { ($0, Observed(Numbers(first: $0), ledger: ledger)) }
  }

  private func viewport(_ panels: Record<Panel> = Record(), columns: Int = 1) -> Viewport<Int, Panel> {
    Viewport(columns: columns) {
      let panel = Panel()
      panels.append(panel)
      return panel
    }
  }

  @Test("Scrolling, inserting, deleting and moving notify each cell that appears, moves or disappears")
  func transcript() {
    let panels = Record<Panel>()
    let viewport = viewport(panels, columns: 2)
    let items = models(5)
    viewport.setItems(items)
    viewport.setVisible(1..<3)
    #expect(
      panels.all.map { $0.calls.take() } == [
        ["will 1 (0,1)", "draw first -→1 second -→0"], ["will 2 (1,0)", "draw first -→2 second -→0"],
      ]
    )
    viewport.setVisible(2..<4)
    #expect(panels.all.map { $0.calls.take() } == [["end", "will 3 (1,1)", "draw first -→3 second -→0"], []])
    viewport.delete(0)
    #expect(panels.all.map { $0.calls.take() } == [["move 2"], ["end", "will 3 (1,1)", "draw first -→4 second -→0"]])
    viewport.insert(9, Observed(Numbers(first: 9), ledger: ledger), at: 2)
    #expect(panels.all.map { $0.calls.take() } == [["move 3"], ["end", "will 2 (1,0)", "draw first -→9 second -→0"]])
    viewport.move(9, to: 3)
    #expect(panels.all.map { $0.calls.take() } == [["move 2"], ["move 3"]])
    viewport.move(9, to: 0)
    #expect(viewport.items == [9, 1, 2, 3, 4] && viewport.visibleCells.map(\.item) == [2, 3])
    #expect(panels.all.map { $0.calls.take() } == [["move 3"], ["end", "will 2 (1,0)", "draw first -→2 second -→0"]])
    #expect(ledger.counts.live == 4 && panels.all.count == 2)
  }

  @Test("Six cells over a hundred models match a reference and the ledger through ten thousand random steps")
  func random() {
    let panels = Record<Panel>()
    let viewport = viewport(panels, columns: 3)
    var random = Seeded(seed: 20_261_121)
    var all = models(100)
    // The reference model: a list of items, a range and a flag.
    var items = all.map(\.id)
    var visible = 0..<0
    var isSuspended = false
    viewport.setItems(all)
    for step in 0..<10_000 {
      let item = Int.random(in: 0..<100, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let start = Int.random(in: 0...100, using: &random)
        visible = start..<(start + Int.random(in: 0...6, using: &random))
        viewport.setVisible(visible)
      case 2:
        items.removeAll { $0 == item }
        viewport.delete(item)
      case 3:
        let index = Int.random(in: 0...items.count, using: &random)
        items.removeAll { $0 == item }
        items.insert(item, at: min(index, items.count))
        if Bool.random(using: &random) { all[item].model = Observed(Numbers(first: item), ledger: ledger) }
        viewport.insert(item, all[item].model, at: index)
      case 4:
        let index = Int.random(in: 0..<100, using: &random)
        if items.contains(item) {
          items.removeAll { $0 == item }
          items.insert(item, at: min(index, items.count))
        }
        viewport.move(item, to: index)
      case 5:
        isSuspended = Bool.random(using: &random)
        if isSuspended { viewport.suspend() } else { viewport.resume() }
      default:
        for panel in panels.all { _ = panel.calls.take() }
        let before = all[item].model.second
        all[item].model.second += 1
        let isVisible = !isSuspended && items[visible.clamped(to: items.indices)].contains(item)
        let drawn = panels.all.flatMap { $0.calls.take() }
        #expect(drawn == (isVisible ? ["draw second \(before)→\(before + 1)"] : []), "step \(step)")
      }
      let shown = Array(items[visible.clamped(to: items.indices)])
      let counts = ledger.counts
      #expect(viewport.visibleCells.map(\.item) == shown && viewport.items == items, "step \(step)")
      #expect(counts.live == (isSuspended ? 0 : 2 * shown.count), "step \(step)")
      #expect(counts.adds - counts.removes == counts.live && ledger.entries.count == counts.live, "step \(step)")
      #expect(counts.repeatedAdds == 0 && counts.unmatchedRemovals == 0, "step \(step)")
      #expect(
        all.allSatisfy { $0.model.observerCount == (!isSuspended && shown.contains($0.id) ? 1 : 0) },
        "step \(step)"
      )
      #expect(viewport.visibleCells.allSatisfy { $0.cell.model === all[$0.item].model }, "step \(step)")
    }
    #expect(panels.all.count == 6)
    viewport.close()
    #expect(ledger.counts.live == 0)
  }

  @Test("A resumed viewport draws once what changed while suspended, including cells that became visible")
  func suspend() {
    let panels = Record<Panel>()
    let viewport = viewport(panels)
    let items = models(4)
    viewport.setItems(items)
    viewport.setVisible(0..<2)
    for panel in panels.all { _ = panel.calls.take() }
    viewport.suspend()
    viewport.suspend()
    #expect(ledger.counts.live == 0)
    items[0].model.first = 7
    items[0].model.first = 8
    viewport.setVisible(0..<3)
    items[2].model.first = 9
    #expect(panels.all.map { $0.calls.take() } == [[], [], ["will 2 (2,0)"]])
    viewport.resume()
    viewport.resume()
    #expect(panels.all.map { $0.calls.take() } == [["draw first 0→8"], [], ["draw first -→9 second -→0"]])
    #expect(ledger.counts.live == 6)
  }

  @Test("A viewport can be suspended, resumed and closed in any order, any number of times", arguments: 0..<81)
  func anyOrder(number: Int) {
    let viewport = viewport()
    let items = models(3)
    viewport.setItems(items)
    viewport.setVisible(0..<2)
    var (isSuspended, isClosed) = (false, false)
    for digit in [number % 3, number / 3 % 3, number / 9 % 3, number / 27] {
      switch digit {
      case 0:
        viewport.suspend()
        isSuspended = true
      case 1:
        viewport.resume()
        isSuspended = false
      default:
        viewport.close()
        isClosed = true
      }
      #expect(ledger.counts.live == (isSuspended || isClosed ? 0 : 4))
      #expect(viewport.visibleCells.count == (isClosed ? 0 : 2))
    }
    viewport.setVisible(0..<3)
    #expect(viewport.visibleCells.count == (isClosed ? 0 : 3))
  }

  @Test("With one model in many cells, each visible cell is notified once and the others are not")
  func session() {
    let panels = Record<Panel>()
    let viewport = viewport(panels)
    let session = Observed(Numbers(), ledger: ledger)
    viewport.setItems((0..<10).map { ($0, session) })
    viewport.setVisible(0..<6)
    viewport.setVisible(0..<4)
    for panel in panels.all { _ = panel.calls.take() }
    session.first = 2
    #expect(viewport.visibleCells.map { $0.cell.content.calls.all } == Array(repeating: ["draw first 1→2"], count: 4))
    #expect(panels.all.flatMap(\.calls.all).count == 4 && viewport.pooledCells == 2)
    #expect(session.observerCount == 4)
  }

  @Test("A replaced header is ended, and ending it again does not affect its replacement")
  func headers() {
    let viewport = viewport()
    let session = Observed(Numbers(), ledger: ledger)
    let headers = (0..<2).map { _ in Cell(Panel()) }
    let footer = Cell(Panel())
    for view in headers + [footer] { view.configure(for: session) }
    viewport.willDisplay(headers[0], at: SupplementaryPlace(.header, section: 0))
    viewport.willDisplay(footer, at: SupplementaryPlace(.footer, section: 0))
    #expect(ledger.counts.live == 4)
    viewport.willDisplay(headers[1], at: SupplementaryPlace(.header, section: 0))
    #expect(ledger.counts.live == 4 && headers[0].model == nil)
    viewport.didEndDisplaying(headers[0], at: SupplementaryPlace(.header, section: 0))
    session.first = 2
    #expect(headers.map { $0.content.calls.all.count } == [1, 2])
    viewport.suspend()
    session.first = 3
    #expect(ledger.counts.live == 0)
    viewport.resume()
    #expect(headers[1].content.calls.all.last == "draw first 2→3" && ledger.counts.live == 4)
    viewport.didEndDisplaying(headers[1], at: SupplementaryPlace(.header, section: 0))
    #expect(ledger.counts.live == 2)
    viewport.close()
    #expect(ledger.counts.live == 0 && !session.isObserved)
  }

  @Test("A viewport scrolled inside a drawing scrolls when the drawing is finished")
  func inside() {
    let held = Box<Viewport<Int, Panel>>()
    let viewport = Viewport<Int, Panel> { Panel { if $0.model.second == 1 { held.get?.setVisible(1..<2) } } }
    held.set(viewport)
    let items = models(2)
    viewport.setItems(items)
    viewport.setVisible(0..<1)
    items[0].model.second = 1
    #expect(viewport.visibleCells.map(\.item) == [1] && ledger.counts.live == 2 && !items[0].model.isObserved)
    held.set(nil)
  }

  @Test("After concurrent scrolling and writing, exactly the visible cells are registered and drawn")
  func threads() async {
    let drawn = Record<Numbers>()
    let viewport = Viewport<Int, Panel> { Panel { drawn.append($0.model) } }
    let items = models(20)
    viewport.setItems(items)
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          for step in 0..<300 {
            let start = (step * 7 + number) % 18
            if number < 2 { viewport.setVisible(start..<(start + 3)) } else { items[start].model.second += 1 }
          }
        }
      }
    }
    let visible = Set(viewport.visibleCells.map(\.item))
    #expect(visible.count == 3 && ledger.counts.live == 6)
    #expect(items.allSatisfy { $0.model.observerCount == (visible.contains($0.id) ? 1 : 0) })
    for item in items where visible.contains(item.id) {
      #expect(drawn.all.last { $0.first == item.id } == item.model.snapshot)
    }
  }

  @Test("Releasing a viewport frees its cells and ends its headers")
  func dropped() {
    let items = models(2)
    let header = Cell(Panel())
    header.configure(for: items[1].model)
    do {
      let viewport = viewport()
      viewport.setItems(items)
      viewport.setVisible(0..<1)
      viewport.willDisplay(header, at: SupplementaryPlace(.header, section: 0))
      #expect(ledger.counts.live == 4)
    }
    #expect(ledger.counts.live == 0 && items.allSatisfy { !$0.model.isObserved })
  }
}

/// SplitMix64 with a fixed seed, so that failures are reproducible.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
