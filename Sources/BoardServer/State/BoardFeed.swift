internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Dispatch
internal import Files
internal import NIOCore
internal import Synchronization
internal import SystemPackage

/// Follows a board's file, changes it, and sends every change to all open pages.
///
/// One thread reads and writes the file. Readers take what is new since their last message, so nothing accumulates for
/// a slow one: it gets the whole state if the changes that it missed have been dropped.
final class BoardFeed: Sendable {
  /// What a reader gets.
  struct Message {
    /// Server-sent events; readers share the bytes.
    let events: ByteBuffer
    /// The number of the last one.
    let number: Int
  }

  private struct State {
    var served: ServedBoard
    var board: Board
    var problem: String?
    var recorder: ServedBoard.Recorder?
    /// The video of the board; `nil` if none was asked for.
    var export: BoardExport.State?
    /// The guests of a shared board; `nil` if it is not shared.
    var guests: [ServedBoard.Person]?
    /// Why covers could not be made again, and older ones are kept.
    var keptCovers: [CanvasID: String] = [:]
    /// The number of the last change.
    var number = 0
    /// The newest changes, oldest first; the last has the number ``number``.
    var changes: [ByteBuffer] = []
    /// The size of these changes together.
    var changesBytes = 0
    /// The whole state as JSON, if it was asked for since the last change.
    var whole: [UInt8]?
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiting = 0
    var isOver = false
  }

  private typealias Job = @Sendable (inout BoardFollower) -> [BoardNotice]

  /// The number of changes that are kept for pages that reconnect.
  private static let keptChanges = 256
  /// The size that they may have together, in bytes; a reader that needs more gets the whole state.
  private static let keptBytes = 8 << 20
  /// Waiting readers are woken at this interval, to notice when a connection has ended.
  private static let heartbeat = Duration.seconds(15)

  let file: BoardFile
  private let times: ServerTimes
  private let name: String
  /// Distinguishes the numbers of this run from those of an earlier one.
  private let run = String(UInt64.random(in: .min ... .max), radix: 36)
  private let wakeup: Wakeup
  private let jobs = Mutex<[Job]>([])
  private let state: Mutex<State>
  private let notices: AsyncStream<BoardNotice>.Continuation

  /// Starts to follow a board.
  ///
  /// - Parameters:
  ///   - file: The board's file.
  ///   - notices: Receives every change, after the pages.
  ///   - times: The intervals of the server.
  init(
    _ file: BoardFile,
    notices: AsyncStream<BoardNotice>.Continuation,
    times: ServerTimes
  ) throws(CommandError) {
    do throws(BoardError) {
      let board = try file.read().board
      name = file.nameOnPage
      state = Mutex(State(served: ServedBoard(board, name: name), board: board))
    } catch {
      throw CommandError(error, of: file)
    }
    do throws(Errno) {
      wakeup = try Wakeup()
    } catch {
      throw CommandError(.cannotContinue, "cannot create a pipe: \(error.message)")
    }
    (self.file, self.notices, self.times) = (file, notices, times)
    DispatchQueue(label: "clipcanvas.board").async { self.follow() }
  }

  /// The board as it was read last.
  var board: Board { state.withLock(\.board) }

  /// Whether the board's file can be read at present.
  var isReadable: Bool { state.withLock { $0.problem == nil } }

  // MARK: - Changes

  /// Changes the board in one transaction; when this returns, the change is on its way to all pages.
  func transact<Result: Sendable>(
    _ body: @escaping @Sendable (inout Board) -> Result
  ) async throws(BoardError) -> Result {
    let result = await withCheckedContinuation { (done: CheckedContinuation<Swift.Result<Result, BoardError>, Never>) in
      let job: Job = { follower in
        do throws(BoardError) {
          let (result, notices) = try follower.transact(lockTimeout: .seconds(5), body)
          // The pages hear of the change before the answer, and no page waits for another's.
          self.publish(notices, problem: nil)
          done.resume(returning: .success(result))
          return notices
        } catch {
          done.resume(returning: .failure(error))
          return []
        }
      }
      jobs.withLock { $0.append(job) }
      wakeup.signal()
    }
    return try result.get()
  }

  /// Tells the pages about the recorder.
  func show(recorder: ServedBoard.Recorder?) {
    state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.recorder != recorder else { return [] }
      state.recorder = recorder
      return update(&state)
    }.resume()
  }

  /// Tells the pages how far the video of the board is.
  func show(export: BoardExport.State?) {
    state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.export != export else { return [] }
      state.export = export
      return update(&state)
    }.resume()
  }

  /// Tells the pages which guests have access.
  func show(guests: [Guest]) {
    let people = guests.map { ServedBoard.Person($0) }
    state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.guests != people else { return [] }
      state.guests = people
      return update(&state)
    }.resume()
  }

  /// Tells the pages why a canvas keeps an older cover; `nil` if it does not.
  func showKeptCover(of canvas: CanvasID, reason: String?) {
    state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.keptCovers[canvas] != reason else { return [] }
      state.keptCovers[canvas] = reason
      return update(&state)
    }.resume()
  }

  // MARK: - Reading

  /// The whole state, as JSON on one line.
  var json: [UInt8] { state.withLock { whole(&$0) } }

  /// Returns the position of a reader from the identifier of the last event it received; `nil` if it needs the whole
  /// state.
  func number(of identifier: String) -> Int? {
    let parts = identifier.split(separator: "-")
    guard parts.count == 2, parts[0] == run else { return nil }
    return Int(parts[1])
  }

  /// Returns what is new since a change, or the whole state if that is not known.
  ///
  /// - Parameter number: The number of the last change that the reader knows; `nil` for none.
  /// - Returns: The message; `nil` if nothing is new.
  func message(after number: Int?) -> Message? {
    state.withLock { state in
      if let number, number == state.number { return nil }
      let first = state.number - state.changes.count
      guard let number, (first..<state.number).contains(number) else {
        return Message(events: event("board", whole(&state), number: state.number), number: state.number)
      }
      var events = state.changes[number - first]
      for change in state.changes[(number - first + 1)...] { events.writeImmutableBuffer(change) }
      return Message(events: events, number: state.number)
    }
  }

  /// Whether nothing is new since a change.
  func isUnchanged(since number: Int) -> Bool { state.withLock { $0.number == number } }

  /// Waits until there is something new, or a heartbeat is due.
  ///
  /// - Returns: `false` if the server ends.
  func wait(after number: Int) async -> Bool {
    let identifier = state.withLock { state in
      state.nextWaiting += 1
      return state.nextWaiting
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          guard state.number == number, !state.isOver, !Task.isCancelled else { return true }
          state.waiting[identifier] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: identifier) }?.resume()
    }
    return !state.withLock(\.isOver)
  }

  /// Lets all readers end.
  func end() {
    state.withLock { state in
      state.isOver = true
      return takeWaiting(&state)
    }.resume()
    wakeup.signal()
  }

  private func takeWaiting(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    defer { state.waiting = [:] }
    return Array(state.waiting.values)
  }

  private func whole(_ state: inout State) -> [UInt8] {
    // The duration of an open recording changes with time, so its state is written again for each reader.
    if let whole = state.whole, state.board.session.take == nil { return whole }
    let whole = state.served.json(at: .now)
    state.whole = whole
    return whole
  }

  private func event(_ name: String, _ json: [UInt8], number: Int) -> ByteBuffer {
    var event = ByteBuffer(string: "event: \(name)\nid: \(run)-\(number)\ndata: ")
    event.writeBytes(json)
    event.writeStaticString("\n\n")
    return event
  }

  /// Adds a change if the state that pages know has changed; returns the readers to wake.
  private func update(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    let served = ServedBoard(
      state.board,
      name: name,
      recorder: state.recorder,
      keptCovers: state.keptCovers,
      guests: state.guests,
      export: state.export,
      problem: state.problem
    )
    guard served != state.served else { return [] }
    state.number += 1
    state.changes.append(event("change", served.changes(since: state.served, at: .now), number: state.number))
    state.changesBytes += state.changes.last?.readableBytes ?? 0
    while state.changes.count > Self.keptChanges || state.changesBytes > Self.keptBytes {
      state.changesBytes -= state.changes.removeFirst().readableBytes
    }
    state.served = served
    state.whole = nil
    return takeWaiting(&state)
  }

  private func publish(_ notices: [BoardNotice], problem: String?) {
    state.withLock { state -> [CheckedContinuation<Void, Never>] in
      // The file is also looked at when nothing has changed, for instance after this process changed it.
      guard !notices.isEmpty || problem != state.problem else { return [] }
      for notice in notices {
        switch notice {
        case .transaction(_, let board), .forgotten(let board), .fresh(let board): state.board = board
        case .unreadable: break
        }
      }
      state.problem = problem
      return update(&state)
    }.resume()
  }

  // MARK: - The thread

  private func follow() {
    // From the board that the pages know already, so that no change in between is missed.
    var follower = BoardFollower(file, since: board.revision)
    var lastHeartbeat = ContinuousClock.now
    var watch = RenewedWatch(file.folder)
    while !state.withLock(\.isOver) {
      let folder = try? watch.start()
      work(&follower)
      beat(&lastHeartbeat)
      // A folder that is missing, or cannot be watched, is read from time to time.
      wakeup.wait(or: folder.map { [$0] } ?? [], timeout: folder == nil ? times.polling : Self.heartbeat)
      try? watch.takeChanges()
    }
  }

  private func work(_ follower: inout BoardFollower) {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      for notice in job(&follower) { notices.yield(notice) }
    }
    let news = follower.look()
    let problem = follower.problem.map { BoardError.unreadable($0).pageMessage(of: file) }
    publish(news, problem: problem)
    for notice in news { notices.yield(notice) }
  }

  private func beat(_ last: inout ContinuousClock.Instant) {
    guard ContinuousClock.now - last >= Self.heartbeat else { return }
    last = .now
    state.withLock { takeWaiting(&$0) }.resume()
  }
}

extension [CheckedContinuation<Void, Never>] {
  fileprivate func resume() {
    for continuation in self { continuation.resume() }
  }
}
