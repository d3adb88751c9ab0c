internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import Synchronization

/// Makes the covers of a board's clips in the background, and sends the results to the board.
///
/// The canvases show the results, because the program follows the board anyway.
final class CoverMaker: Sendable {
  /// What there is to show.
  struct Report {
    /// The progress; `nil` if no cover is being made.
    var progress: BoardStatus.Progress?
    /// The message at the end of the work, or about an incomplete sandbox.
    var message: LiveScreen.Message?
  }

  private struct State {
    /// The clips whose covers are still to be made.
    var queue: [WaitingCover] = []
    /// The clips whose covers are being made.
    var current: [WaitingCover] = []
    var progress: BoardStatus.Progress?
    /// The messages about the covers that could not be made.
    var failures: [String] = []
    /// Why the work could not continue.
    var problem: String?
    var message: LiveScreen.Message?
    var task: Task<Void, Never>?

    /// The message at the end of the work.
    var summary: LiveScreen.Message? {
      if let problem { return .refused(problem) }
      guard let progress else { return nil }
      let made = progress.done - failures.count
      guard let first = failures.first else { return .info("\(made) \(made == 1 ? "cover" : "covers") made") }
      let others = failures.count > 1 ? " (and \(failures.count - 1) more)" : ""
      return .refused((progress.total > 1 ? "\(made) of \(progress.total) covers made; " : "") + first + others)
    }
  }

  private let file: BoardFile
  private let wakeup: Wakeup
  private let state = Mutex(State())

  /// - Parameters:
  ///   - file: The board's file.
  ///   - wakeup: What to signal when there is a new report.
  init(for file: BoardFile, waking wakeup: Wakeup) {
    (self.file, self.wakeup) = (file, wakeup)
  }

  /// Makes the covers of clips, except those that are being made already.
  func ask(for waiting: [WaitingCover]) {
    state.withLock { state in
      let new = waiting.filter { !state.queue.contains($0) && !state.current.contains($0) }
      guard !new.isEmpty else { return }
      state.queue += new
      state.progress = state.progress ?? BoardStatus.Progress(done: 0, total: 0)
      state.progress?.total += new.count
      if state.task == nil { state.task = Task { await work() } }
    }
    wakeup.signal()
  }

  /// Returns the progress, and the message since the last call, if any.
  func takeReport() -> Report {
    state.withLock { state in
      defer { state.message = nil }
      return Report(progress: state.progress, message: state.message)
    }
  }

  /// Cancels the work; the covers that are not made remain pending.
  func end() async {
    let task = state.withLock { state in
      state.queue = []
      return state.task
    }
    task?.cancel()
    await task?.value
  }

  // MARK: - Work

  private func work() async {
    while let waiting = nextBatch() {
      do {
        try await makeCovers(waiting)
      } catch {
        update { state in
          state.queue = []
          state.problem = "the covers are still pending: \(Self.text(of: error, about: file))"
        }
      }
    }
    wakeup.signal()
  }

  /// Returns the clips whose covers are made next, or ends the work after the last one.
  private func nextBatch() -> [WaitingCover]? {
    state.withLock { state in
      (state.current, state.queue) = (state.queue, [])
      guard state.current.isEmpty else { return state.current }
      state.message = state.summary
      (state.progress, state.failures, state.problem, state.task) = (nil, [], nil, nil)
      return nil
    }
  }

  private func makeCovers(_ waiting: [WaitingCover]) async throws {
    let service = CoverService(decoder: try ProgramLocation.decoder.find()) { [weak self] sandbox in
      self?.update { $0.message = .info(sandbox.warning) }
    }
    let side = try file.read().board.effectiveCoverSide
    try await BoardCovers(of: file, with: service).make(waiting, side: side) { waiting, outcome, event in
      _ = try file.transact { $0.apply(event, at: .now) }
      update { state in
        state.progress?.done += 1
        guard let failure = outcome.failure, !outcome.hasPicture else { return }
        let (canvas, reason) = (DisplayName.of(waiting.canvas), DisplayName.of(failure.message))
        let result = event.name == .coverReady ? "\(canvas) keeps its old cover" : "no cover for \(canvas)"
        state.failures.append("\(result): \(reason)")
      }
    }
  }

  private static func text(of error: any Error, about file: BoardFile) -> String {
    (error as? BoardError)?.message(of: file) ?? "\(error)"
  }

  private func update(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    wakeup.signal()
  }
}
