extension Viewport {
  enum Command: Sendable {
    case setItems([(id: ItemID, model: Observed<Model>)])
    case insert(ItemID, Observed<Model>, Int)
    case delete(ItemID)
    case move(ItemID, Int)
    case setVisible(Range<Int>)
    case begin(any DisplayedView, SupplementaryPlace)
    case end(any DisplayedView, SupplementaryPlace)
    case suspend(Bool)
    case close
  }

  func send(_ command: Command) {
    state.withLock { $0.commands.append(command) }
    switch delivery {
    case .synchronous: work()
    case .async(let executor): executor.enqueue { [weak self] in self?.work() }
    }
  }

  private func work() {
    if ThreadState.isInsideAccess { return ThreadState.deferWork(of: self) { self.work() } }
    turn.work(while: { hasCommands }, step: doNext)
  }

  private var hasCommands: Bool { state.withLock { !$0.commands.isEmpty } }

  /// Performs the next command, and returns whether there are more.
  ///
  /// Called within the turn, so no other thread changes the state in the meantime. No lock is held while a cell or a
  /// content is called.
  private func doNext() -> Bool {
    let (next, isClosed) = state.withLock { ($0.commands.popFirst(), $0.isClosed) }
    switch isClosed ? nil : next {
    case .setItems(let items): change { $0.setItems(items) }
    case .insert(let item, let model, let index): change { $0.insert(item, model, at: index) }
    case .delete(let item): change { $0.delete(item) }
    case .move(let item, let index): change { $0.move(item, to: index) }
    case .setVisible(let range): change { $0.setVisible(range) }
    case .begin(let view, let place): begin(view, at: place)
    case .end(let view, let place): end(view, at: place)
    case .suspend(let isSuspended): suspend(isSuspended)
    case .close: endAll()
    case nil: break
    }
    return hasCommands
  }

  // MARK: - Cells

  /// Changes the items or their place, and shows the result.
  ///
  /// - Parameter body: Returns models to free, which have deinitialisers, outside the lock.
  private func change(_ body: @Sendable (inout State) -> [Observed<Model>]) {
    let former = state.withLock { body(&$0) }
    withExtendedLifetime(former) {}
    endFormer()
    moveStaying()
    beginNew()
  }

  /// Reclaims the cells of items that have left the viewport, so that new items can reuse them.
  private func endFormer() {
    let leaving = state.withLock { state in
      let shown = Set(state.items[state.shown])
      let leaving = state.displayed.filter { !shown.contains($0.key) || state.models[$0.key] !== $0.value.model }
      for item in leaving.keys { state.displayed[item] = nil }
      return leaving.values.sorted { $0.index < $1.index }
    }
    for slot in leaving {
      slot.cell.unbind()
      slot.cell.content.didEndDisplaying()
      state.withLock { $0.pool.append(slot.cell) }
    }
  }

  private func moveStaying() {
    let moved = state.withLock { state in
      state.shown.compactMap { index -> Slot? in
        let item = state.items[index]
        guard let slot = state.displayed[item], slot.index != index else { return nil }
        state.displayed[item]?.index = index
        return state.displayed[item]
      }
    }
    for slot in moved { slot.cell.content.didMove(to: CellPlace(index: slot.index, columns: columns)) }
  }

  private func beginNew() {
    let coming = state.withLock { state in
      state.shown.compactMap { index -> (ItemID, Observed<Model>, Int)? in
        let item = state.items[index]
        guard state.displayed[item] == nil, let model = state.models[item] else { return nil }
        return (item, model, index)
      }
    }
    for (item, model, index) in coming {
      let cell = state.withLock { $0.pool.popLast() } ?? Cell(makeContent(), delivery: delivery)
      let isSuspended = state.withLock { state in
        state.displayed[item] = Slot(cell: cell, model: model, index: index)
        return state.isSuspended
      }
      cell.content.willDisplay(at: CellPlace(index: index, columns: columns))
      if isSuspended { cell.suspend() } else { cell.resume() }
      cell.bind(to: model)
    }
  }

  // MARK: - Supplementary views

  private func begin(_ view: any DisplayedView, at place: SupplementaryPlace) {
    let (former, isSuspended) = state.withLock { state in
      (state.supplementary.updateValue(view, forKey: place), state.isSuspended)
    }
    if let former, former !== view { former.endDisplaying() }
    if isSuspended { view.suspend() } else { view.resume() }
    view.beginDisplaying()
  }

  private func end(_ view: any DisplayedView, at place: SupplementaryPlace) {
    let isThere = state.withLock { state in
      guard state.supplementary[place] === view else { return false }
      state.supplementary[place] = nil
      return true
    }
    if isThere { view.endDisplaying() }
  }

  // MARK: - Suspending and closing

  private func suspend(_ isSuspended: Bool) {
    let views = state.withLock { state in
      state.isSuspended = isSuspended
      let cells = state.displayed.values.sorted { $0.index < $1.index }.map { $0.cell as any DisplayedView }
      return cells + state.supplementary.values
    }
    for view in views {
      if isSuspended { view.suspend() } else { view.resume() }
    }
  }

  private func endAll() {
    let former = state.withLock { state in
      let former = state
      state.items = []
      state.models = [:]
      state.supplementary = [:]
      state.isClosed = true
      return former
    }
    endFormer()
    let pool = state.withLock { state in
      defer { state.pool = [] }
      return state.pool
    }
    for view in former.supplementary.values { view.endDisplaying() }
    // Freed outside the lock.
    withExtendedLifetime(pool) {}
  }
}

// Each method returns the models that the state no longer contains.
extension Viewport.State {
  mutating func setItems(_ items: [(id: ItemID, model: Observed<Content.Model>)]) -> [Observed<Content.Model>] {
    let former = Array(models.values)
    models = Dictionary(items.map { ($0.id, $0.model) }) { _, last in last }
    var seen: Set<ItemID> = []
    self.items = items.reversed().map(\.id).filter { seen.insert($0).inserted }.reversed()
    return former
  }

  mutating func insert(
    _ item: ItemID,
    _ model: Observed<Content.Model>,
    at index: Int
  ) -> [Observed<Content.Model>] {
    let former = models.updateValue(model, forKey: item)
    if former != nil { items.removeAll { $0 == item } }
    items.insert(item, at: min(max(index, 0), items.count))
    return former.map { [$0] } ?? []
  }

  mutating func delete(_ item: ItemID) -> [Observed<Content.Model>] {
    items.removeAll { $0 == item }
    return models.removeValue(forKey: item).map { [$0] } ?? []
  }

  mutating func move(_ item: ItemID, to index: Int) -> [Observed<Content.Model>] {
    guard let model = models[item] else { return [] }
    return insert(item, model, at: index)
  }

  mutating func setVisible(_ range: Range<Int>) -> [Observed<Content.Model>] {
    visible = range
    return []
  }
}
