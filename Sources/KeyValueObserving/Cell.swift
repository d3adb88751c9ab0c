/// A reusable view of one model at a time.
///
/// The cell holds its model; the model does not hold the cell. A cell that is freed leaves no registration behind.
/// All of it can be called from any thread.
public final class Cell<Content: CellContent>: Sendable {
  /// What it observes.
  public typealias Model = Content.Model

  /// Who the cell is in the ledger.
  public let id = ObserverID("cell")
  /// What draws.
  public let content: Content

  private let state = Guarded(State())
  private let turn = Turn()

  private struct State: Sendable {
    var model: Observed<Model>?
    var wantsNotices = false
    var isSuspended = false
    /// Is another one after each change of the above.
    ///
    /// What was begun under a former one is void.
    var generation = 0
    /// The generation that the observation belongs to, or whose lack of one is wanted.
    var registered = 0
    var observation: Observation?
    /// What is on the screen.
    var drawn: Model?
    var notices: [Notice<Model>] = []

    var hasWork: Bool { registered != generation || !notices.isEmpty }
  }

  /// Makes a cell that shows nothing.
  public init(_ content: Content) { self.content = content }

  /// What the cell is bound to or configured for.
  public var model: Observed<Model>? { state.withLock { $0.model } }

  /// Whether there is nothing on the screen yet: from a bind to its first drawing.
  public var isHidden: Bool { state.withLock { $0.drawn == nil } }

  /// Takes a model without registering anything; the registrations with a former one end.
  public func configure(for model: Observed<Model>) { show(model, wantsNotices: false) }

  /// Shows a model: the registrations with a former one go, those with this one come, and the cell draws at once.
  ///
  /// Of binds on several threads the last one wins. No notice of a former model is drawn after this has returned.
  /// Binding to the same model draws everything anew.
  public func bind(to model: Observed<Model>) { show(model, wantsNotices: true) }

  /// Shows nothing any more, and lets go of the model.
  public func unbind() { show(nil, wantsNotices: false) }

  /// Ends the registrations and keeps the model and what is drawn; done twice, it does nothing.
  public func suspend() {
    change { state in
      guard !state.isSuspended else { return false }
      state.isSuspended = true
      return true
    }
  }

  /// Registers again and draws what has changed since ``suspend()``, once; if nothing has, nothing.
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

  /// Changes what the cell is bound to and registers anew, unless the body says that nothing is to be done.
  ///
  /// What is wanted changes here, at once, so the last caller wins. Registering is done in the cell's turn, one at a
  /// time: it follows what is wanted by then. Outside handlers this waits for its end, and for that of a drawing of
  /// the former model on another thread.
  private func change(_ body: @Sendable (inout State) -> Bool) {
    state.withLock { state in
      guard body(&state) else { return }
      state.generation += 1
      state.notices = []
    }
    work()
  }

  private func work() {
    turn.work(while: { state.withLock { $0.hasWork } }, step: doNext)
  }

  private func doNext() {
    if state.withLock({ $0.registered != $0.generation }) { register() } else { drawNext() }
  }

  private func register() {
    let (former, model, generation) = state.withLock { state in
      defer { state.observation = nil }
      state.registered = state.generation
      let model = state.wantsNotices && !state.isSuspended ? state.model : nil
      return (state.observation, model, state.generation)
    }
    former?.cancel()
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
    if isCurrent { work() }
  }

  private func drawNext() {
    let next = state.withLock { state in
      state.notices.isEmpty ? nil : (state.notices.removeFirst(), state.drawn, state.generation)
    }
    guard let (notice, drawn, generation) = next else { return }
    let keys = Content.displayKeys.filter { key in drawn.map { key.isDifferent($0, notice.new) } ?? true }
    if !keys.isEmpty {
      Frame.run(in: ObjectIdentifier(self), isHandler: true) {
        content.draw(Drawing(model: notice.new, drawn: drawn, keys: keys, transaction: notice.transaction))
      }
    }
    state.withLock { state in
      if state.generation == generation { state.drawn = notice.new }
    }
  }
}
