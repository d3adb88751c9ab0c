internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers

extension ChangeOptions {
  /// The options without the revision check, for a follow-up change.
  var withoutRevision: ChangeOptions {
    var options = self
    options.ifRevision = nil
    return options
  }

  /// Sends an event to the board and prints the outcome; throws an exit status if the event was refused.
  func send(_ event: Event) throws {
    try send { _ in event }
  }

  /// Sends an event that depends on the board.
  func send(_ event: (Board) -> Event) throws {
    var moved: Set<CanvasID> = []
    var name: EventName?
    var positionProblem: String?
    let outcome = try apply { board in
      let event = event(board)
      name = event.name
      if case .moveCanvas(let canvas, let position) = event {
        moved = [canvas]
        let last = board.canvases.count - 1
        positionProblem = "position \(position) does not exist; use \(last > 0 ? "0 to \(last)" : "0")"
      }
      return event
    }
    let refusal = outcome == .refused(.badPosition) ? positionProblem : nil
    try OutcomeReport.print(outcome, of: name, with: self, moved: moved, refusal: refusal)
  }

  /// Sends an event to the board without printing anything.
  ///
  /// - Throws: An error that lists the canvases if the board does not have the canvas and no JSON is wanted.
  func apply(_ event: (Board) -> Event) throws -> Outcome {
    let now = Instant.now
    let (sent, outcome, canvases) = try transact { board in
      let event = event(board)
      return (event, board.apply(event, at: now), board.canvases.map(\.id))
    }
    if !json, outcome == .refused(.unknownCanvas), let canvas = sent.subject {
      throw CommandError(unknown: canvas, canvases: canvases)
    }
    return outcome
  }

  /// Changes the board in one transaction of its file, or only a copy of the board.
  func transact<Result>(_ body: (inout Board) -> Result) throws -> Result {
    guard !DryRun.isActive else { return try dryRun(body) }
    let file = board.file
    do {
      return try file.transact(lockTimeout: lock.duration, ifRevision: ifRevision, body)
    } catch .tooLarge where json {
      try OutcomeReport.print(.refused(.tooLarge), of: nil, with: self)
      throw CommandError(.refused)
    } catch {
      throw CommandError(error, of: file)
    }
  }

  private func dryRun<Result>(_ body: (inout Board) -> Result) throws -> Result {
    var copy = try board.readToChange()
    try checkRevision(of: copy)
    return body(&copy)
  }

  /// Throws an error if the board does not have the requested revision.
  func checkRevision(of current: Board) throws {
    guard let ifRevision, ifRevision != current.revision else { return }
    throw CommandError(.conflict(revision: current.revision, wanted: ifRevision), of: board.file)
  }
}
