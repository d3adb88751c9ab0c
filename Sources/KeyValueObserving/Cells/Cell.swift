/// A reusable view of one model at a time.
///
/// The cell retains its model; the model does not retain the cell. Freeing a cell removes its registrations.
/// All members can be used from any thread.
public final class Cell<Content: CellContent>: Sendable {
  /// The type of the models that the cell observes.
  public typealias Model = Content.Model

  /// The cell's identity in the ledger.
  private let id = ObserverID("cell")
  /// The content that draws the model.
  public let content: Content

  private let delivery: Delivery
  private let state = Guarded(State())
  private let turn = Turn()
  /// Held while the content draws; unbinding waits for it.
  private let gate = Gate()

  private struct State: Sendable {
    var model: Observed<Model>?
    var wantsNotices = false
    var isSuspended = false
    /// A number that changes with each change of the properties above.
    ///
    /// Work started under an earlier generation is discarded.
    var generation = 0
    /// The generation that the current registration, or the deliberate lack of one, belongs to.
    var registered = 0
    var observation: Observation?
    /// The model as it was last drawn.
    var drawn: Model?
    var notices = Queue<Notice<Model>>()
    /// Whether a job of the executor is going to draw.
    var isScheduled = false
  }

  /// Creates a cell that shows nothing.
  ///
  /// - Parameters:
  ///   - content: The content that draws the model.
  ///   - delivery: When and where the content draws. With an executor, a cell can be bound on any thread and draws where
  ///     its view lives; it is hidden until the first drawing there is finished.
  public init(_ content: Content, delivery: Delivery = .synchronous) {
    self.content = content
    self.delivery = delivery
  }

  /// The model that the cell is bound to or configured for.
  public var model: Observed<Model>? { state.withLock { $0.model } }

  /// Whether nothing is drawn yet: true from a bind until the first drawing is finished.
  public var isHidden: Bool { state.withLock { $0.drawn == nil } }

  /// Sets the model without registering with it; registrations with the previous model are removed.
  public func configure(for model: Observed<Model>) { show(model, wantsNotices: false) }

  /// Shows a model: replaces the registrations with those for the new model and draws, immediately or on the executor.
  ///
  /// If several threads bind the cell, the last bind wins. After this method returns, no notification from a previous
  /// model is drawn. Binding to the same model again redraws everything.
  public func bind(to model: Observed<Model>) { show(model, wantsNotices: true) }

  /// Stops showing and releases the model.
  public func unbind() { show(nil, wantsNotices: false) }

  /// Removes the registrations but keeps the model and what is drawn.
  ///
  /// Suspending again has no effect.
  public func suspend() {
    change { state in
      guard !state.isSuspended else { return false }
      state.isSuspended = true
      return true
    }
  }

  /// Registers again and draws, once, what has changed since ``suspend()``, if anything.
  public func resume() {
    change { state in
      guard state.isSuspended else { return false }
      state.isSuspended = false
      return true
    }
  }

  // MARK: - Registering

  private func show(_ model: Observed<Model>?, wantsNotices: Bool) {
    change { state in
      state.model = model
      state.wantsNotices = wantsNotices
      state.drawn = nil
      return true
    }
  }

  /// Changes the wanted state and registers accordingly, unless the body returns false.
  ///
  /// The wanted state changes immediately, so the last caller wins. Registering is done in the cell's turn, by one
  /// thread at a time, according to the state wanted by then. Outside handlers this method waits for registering to
  /// finish, and for any drawing of the previous model on another thread.
  private func change(_ body: @Sendable (inout State) -> Bool) {
    let former = state.withLock { state in
      let former = state
      if body(&state) {
        state.generation += 1
        state.notices = Queue()
      }
      return former
    }
    // Freed outside the lock: models have deinitialisers, too.
    withExtendedLifetime(former) {}
    work()
  }

  private func work() {
    if ThreadState.isInsideAccess { return ThreadState.deferWork(of: self) { self.work() } }
    turn.work(while: { hasWork }, step: doNext)
  }

  private var hasWork: Bool { state.withLock { needsRegistration($0) || drawsInTurn($0) } }

  private func needsRegistration(_ state: State) -> Bool { state.registered != state.generation }

  private func drawsInTurn(_ state: State) -> Bool {
    if case .synchronous = delivery { !state.notices.isEmpty } else { false }
  }

  private func doNext() -> Bool {
    if state.withLock({ needsRegistration($0) }) { register() } else { drawNext() }
    return hasWork
  }

  private func register() {
    let (former, model, generation) = state.withLock { state in
      defer { state.observation = nil }
      state.registered = state.generation
      let model = state.wantsNotices && !state.isSuspended ? state.model : nil
      return (state.observation, model, state.generation)
    }
    former?.cancel()
    // An executor may still be drawing the previous model.
    gate.waitUntilFree()
    guard let model else { return }
    let observation = model.observe(Content.displayKeys, by: id, options: .initial) { [weak self] notice in
      self?.receive(notice, generation)
    }
    state.withLock { $0.observation = observation }
  }

  // MARK: - Drawing

  private func receive(_ notice: Notice<Model>, _ generation: Int) {
    let isCurrent = state.withLock { state in
      guard state.generation == generation else { return false }
      state.notices.append(notice)
      return true
    }
    guard isCurrent else { return }
    switch delivery {
    case .synchronous: work()
    case .async(let executor): schedule(on: executor)
    }
  }

  private func schedule(on executor: any DeliveryExecutor) {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { executor.enqueue { [weak self] in self?.drawAll() } }
  }

  /// Draws until there is nothing to draw; then the next notification has to be scheduled again.
  private func drawAll() {
    while state.withLock({ state in
      state.isScheduled = !state.notices.isEmpty
      return state.isScheduled
    }) {
      drawNext()
    }
  }

  private func drawNext() {
    gate.run {
      // Taken inside the gate, so that nothing is drawn after a change of the model has waited for the gate.
      let next = state.withLock { state in
        state.notices.popFirst().map { ($0, state.drawn, state.generation) }
      }
      guard let (notice, drawn, generation) = next else { return }
      let keys = Content.displayKeys.filter { key in drawn.map { key.isDifferent($0, notice.new) } ?? true }
      if !keys.isEmpty {
        content.draw(Drawing(model: notice.new, drawn: drawn, keys: keys, transaction: notice.transaction))
      }
      let former = state.withLock { state in
        defer { if state.generation == generation { state.drawn = notice.new } }
        return state.drawn
      }
      // Freed outside the lock.
      withExtendedLifetime(former) {}
    }
  }
}
