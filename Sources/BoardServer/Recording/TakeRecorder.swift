internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import HTTPTypes
internal import NIOPosix
internal import SystemPackage

/// Receives recordings from browsers, and brings them to the board.
///
/// Every step is an event, and the board decides. A recording whose browser gives no sign is paused; when it is
/// stopped, the clip is made from the parts that have arrived.
actor TakeRecorder {
  private let feed: BoardFeed
  private let uploads: UploadFolder
  private let library: ClipLibrary
  private let covers: PageCovers
  private let times: ServerTimes
  /// The uploads whose clips are being made, by the names of takes or uploads.
  private var finishing: [String: Task<Result<JSON, RequestFailure>, Never>] = [:]
  /// When the server tries next to finish a take that its page has left.
  private var nextTry: (at: ContinuousClock.Instant, after: Duration)
  /// The takes that are being continued, whose new segments do not exist yet.
  private var resuming: Set<TakeID> = []
  /// Since when the server runs without having stood still.
  private var running = (since: ContinuousClock.now, checked: ContinuousClock.now)

  init(for feed: BoardFeed, uploads: UploadFolder, library: ClipLibrary, covers: PageCovers, times: ServerTimes) {
    (self.feed, self.uploads, self.library, self.covers, self.times) = (feed, uploads, library, covers, times)
    nextTry = (.now, times.firstPause)
  }

  // MARK: - Requests

  /// Starts a take on the canvas in preview.
  ///
  /// - Parameters:
  ///   - replaces: Whether its clip may be replaced.
  ///   - guest: The guest that records it; `nil` for the owner of the board.
  func start(
    replacing replaces: Bool,
    by guest: Guest? = nil
  ) async throws(RequestFailure) -> (upload: Upload, outcome: Outcome) {
    let uploads = uploads
    let (take, started) = try await feed.change { board -> (TakeID, Outcome?) in
      let take = uploads.unused(board.nextTake)
      if let guest, let canvas = board.session.focus, let clip = board[canvas]?.clip,
        replaces, !guest.recorded(clip, on: canvas)
      {
        return (take, nil)
      }
      return (take, board.apply(.recordStart(take: take, replace: replaces, owner: .server), at: .now))
    }
    guard let outcome = started else { throw GuestRights.foreignClip }
    try Self.check(outcome)
    do throws(RequestFailure) {
      let upload = try uploads.addSegment(of: take, by: guest)
      showRecorder()
      return (upload, outcome)
    } catch {
      _ = try? await feed.change { board in
        if board.session.take?.id == take { _ = board.apply(.recordDiscard, at: .now) }
      }
      throw error
    }
  }

  /// Continues an interrupted take with a further segment.
  ///
  /// - Parameters:
  ///   - take: The take.
  ///   - guest: The guest that continues it; `nil` for the owner of the board.
  func resume(
    _ take: TakeID,
    by guest: Guest? = nil
  ) async throws(RequestFailure) -> (upload: Upload, outcome: Outcome) {
    // What another program records is nowhere to be found, and would not become a part of the clip.
    guard uploads.hasUploads(of: take) else { throw RequestFailure(.conflict, Self.foreignTake) }
    guard guest == nil || uploads.guest(of: take) === guest else { throw GuestRights.refusal }
    resuming.insert(take)
    defer { resuming.remove(take) }
    let outcome = try await feed.change { board in
      board.session.take?.id == take ? board.apply(.recordResume(owner: .server), at: .now) : .refused(.wrongTake)
    }
    try Self.check(outcome)
    do throws(RequestFailure) {
      uploads.end(take)
      let upload = try uploads.addSegment(of: take, by: guest)
      showRecorder()
      return (upload, outcome)
    } catch {
      _ = try? await feed.change { $0.apply(.takeFailed(take, reason: error.text), at: .now) }
      throw error
    }
  }

  /// Interrupts a take at once, because the page that records it is being closed or reloaded.
  ///
  /// Nothing more is received for it; a take that was stopped is finished with what has arrived.
  func leave(_ upload: Upload) async throws(RequestFailure) {
    guard let take = upload.purpose.take else { throw RequestFailure(.forbidden, Self.notRecorded) }
    guard !upload.isOver else { throw RequestFailure(.gone, "this upload was finished or discarded") }
    _ = try? await feed.change { board in
      if board.session.name != .finalizing { _ = board.apply(.takeFailed(take, reason: Self.leaving), at: .now) }
    }
    // Only now, because a take without an upload is interrupted for another reason.
    upload.end()
    showRecorder()
  }

  /// Checks that the board would take a clip, so that no large file is sent in vain.
  func checkImport(into canvas: CanvasID, replacing replaces: Bool) throws(RequestFailure) {
    var trial = feed.board
    guard let clip = ClipFile(path: "clip") else { preconditionFailure("the path is not empty") }
    try Self.check(trial.apply(.importClip(canvas, clip, replace: replaces), at: .epoch))
  }

  /// Finishes a complete upload, and answers with the outcome.
  ///
  /// A browser that missed the answer may ask again.
  func finish(_ upload: Upload, length: Int) async throws(RequestFailure) -> JSON {
    if let answer = upload.answer { return answer }
    // A file that waits for the end of a recording is still wanted.
    if upload.purpose.take == nil { upload.renew() }
    guard upload.isOver || upload.offset == length else {
      throw RequestFailure(.conflict, "\(upload.offset) of \(length) bytes arrived; send the rest first")
    }
    // The length of a recording is not final until it was stopped.
    if case .segment(let take, _) = upload.purpose, !upload.isOver {
      let session = feed.board.session
      guard session.take?.id == take else { throw RequestFailure(Reason.wrongTake) }
      guard session.name == .finalizing else { throw RequestFailure(Reason.notStopped) }
    }
    try upload.setLength(length)
    switch upload.purpose {
    case .segment(let take, _): return try await finish(take)
    case .clip(let canvas, let replaces, let name):
      return try await finish(upload.id) {
        await self.addClip(of: upload, to: canvas, replacing: replaces, named: name)
      }
    }
  }

  /// Makes a clip; if that is being done already, waits for it.
  private func finish(
    _ name: String,
    by making: @escaping @Sendable () async -> Result<JSON, RequestFailure>
  ) async throws(RequestFailure) -> JSON {
    let task =
      finishing[name]
      ?? Task {
        let result = await making()
        finishing[name] = nil
        return result
      }
    finishing[name] = task
    return try await task.value.get()
  }

  // MARK: - Clips

  /// Adds a clip that arrived; it is kept for another request if the reason why it cannot be added will pass.
  private func addClip(
    of upload: Upload,
    to canvas: CanvasID,
    replacing replaces: Bool,
    named name: String
  ) async -> Result<JSON, RequestFailure> {
    do throws(RequestFailure) {
      guard !upload.isOver else { throw RequestFailure(.gone, "this upload was finished or discarded") }
      try await Self.sync(upload)
      let facts: ClipFacts
      do throws(CoverFailure) {
        facts = try await library.facts(of: upload.path).get()
      } catch {
        throw RequestFailure(error)
      }
      let lock = try library.lock()
      let path = try library.add(upload.place, named: name, as: ClipFormat(of: facts))
      do throws(RequestFailure) {
        let file = try library.clipFile(.init(path: path, seconds: facts.durationSeconds))
        let outcome = try await feed.change { $0.apply(.importClip(canvas, file, replace: replaces), at: .now) }
        _ = consume lock
        try Self.check(outcome)
        makeCover(after: outcome)
        uploads.remove(upload, answering: JSON(outcome))
        return .success(JSON(outcome))
      } catch {
        library.giveBack(path, to: upload.place)
        throw error
      }
    } catch {
      if !error.isTemporary { uploads.remove(upload) }
      return .failure(error)
    }
  }

  private static func sync(_ upload: Upload) async throws(RequestFailure) {
    do {
      try await NIOThreadPool.singleton.runIfActive { try upload.sync() }
    } catch {
      throw error as? RequestFailure ?? RequestFailure(writing: .ioError)
    }
  }

  // MARK: - Takes

  /// Makes the clip of a stopped take.
  private func finish(_ take: TakeID) async throws(RequestFailure) -> JSON {
    try await finish("take \(take)") { await self.makeClip(of: take) }
  }

  private func makeClip(of take: TakeID) async -> Result<JSON, RequestFailure> {
    guard let open = feed.board.session.take, open.id == take else { return .failure(RequestFailure(Reason.wrongTake)) }
    let segments = uploads.segments(of: take)
    // Nothing is acknowledged that does not become part of the clip.
    for segment in segments { segment.close() }
    do throws(RequestFailure) {
      let item = try await library.join(segments.map(\.path), of: open)
      let file = try library.clipFile(item)
      let outcome: Outcome
      do throws(RequestFailure) {
        // Closing the preview is part of the take, so that an undo takes back both.
        outcome = try await feed.change { $0.apply([(.takeFinished(take, file), .now), (.deselect, .now)]).outcome }
        try Self.check(outcome)
      } catch {
        // The take was discarded in the meantime, or the board cannot be written; the segments are kept for then.
        library.remove(item.path)
        throw error
      }
      note(outcome, by: uploads.guest(of: take))
      uploads.remove(take, answering: JSON(outcome))
      showRecorder()
      makeCover(after: outcome)
      return .success(JSON(outcome))
    } catch {
      if !Task.isCancelled { _ = try? await feed.change { $0.apply(.takeFailed(take, reason: error.text), at: .now) } }
      return .failure(error)
    }
  }

  /// Notes which clip a guest has recorded.
  private func note(_ outcome: Outcome, by guest: Guest?) {
    guard let guest, case .changed(_, let changes) = outcome else { return }
    for change in changes {
      if let canvas = change.canvas, case .clip(let clip) = change.new { guest.add(clip, on: canvas) }
    }
  }

  /// Starts the programs for the clip of a take that was stopped, while its last part arrives.
  private func prepareClip() {
    guard let take = feed.board.session.take, uploads.hasUploads(of: take.id) else { return }
    library.prepare()
  }

  private func makeCover(after outcome: Outcome) {
    guard case .changed(_, let changes) = outcome else { return }
    for change in changes {
      guard let canvas = change.canvas, case .clip(let clip) = change.new else { continue }
      Task { await covers.make(WaitingCover(canvas: canvas, clip: clip)) }
    }
  }

  // MARK: - The board and time

  /// Reacts to a change of the board, whatever made it.
  func take(_ notice: BoardNotice) async {
    // Covers may have been left pending by a server that was killed, or while the board could not be changed.
    if case .fresh = notice { await makeWaitingCovers() }
    if case .transaction(let transaction, _) = notice {
      let hasClip = transaction.changes.contains { $0.key == .clip }
      if transaction.changes.contains(where: { $0.new == .session(.finalizing) }) { prepareClip() }
      for change in transaction.changes {
        // A take that ends without a clip was discarded. One that ends otherwise may still be needed.
        guard case .take(let take) = change.old, !hasClip else { continue }
        if case .take(let next) = change.new, next.id == take.id { continue }
        uploads.remove(take.id)
      }
    }
    // What was sent of a take that ended with another clip is kept, but no more is accepted.
    let open = feed.board.session.take?.id
    for upload in uploads.all where upload.purpose.take != nil && upload.purpose.take != open { upload.end() }
    showRecorder()
  }

  /// Makes the covers that are pending.
  func makeWaitingCovers() async {
    for waiting in feed.board.waitingCovers { Task { await covers.make(waiting) } }
  }

  /// Ends the work because the server ends: pauses a recording, and leaves clips that are not complete to the next run.
  func end() async {
    for task in finishing.values { task.cancel() }
    guard case .recording(let take) = feed.board.session, uploads.current(of: take.id) != nil else { return }
    _ = try? await feed.change { $0.apply(.takeFailed(take.id, reason: Self.ending), at: .now) }
  }

  /// Looks for recordings whose browser gives no sign, until the task is cancelled.
  func watchLeases() async {
    while !Task.isCancelled {
      await checkLease()
      uploads.removeAbandonedClips()
      try? await Task.sleep(for: times.leaseCheck)
    }
  }

  private func checkLease() async {
    noteStandstill()
    let session = feed.board.session
    guard let take = session.take, uploads.hasUploads(of: take.id), !resuming.contains(take.id) else { return }
    showRecorder()
    let upload = uploads.current(of: take.id)
    let silence = upload.map { $0.takeLapse() } ?? .zero
    switch session {
    case .recording: if let silence { await interrupt(take, after: silence) }
    case .paused where take.interruption == nil: if silence != nil { await interrupt(take, after: .zero) }
    // A page that is back, if late, sends the rest and finishes the take itself.
    case .finalizing where upload?.isRenewed != true && !isOwedTime(upload): await finishAlone(take.id)
    case .idle, .selected, .previewing, .paused, .finalizing: break
    }
  }

  /// Notes that the computer slept, or that the server was stopped for some time.
  private func noteStandstill() {
    let now = ContinuousClock.now
    if now - running.checked > times.standstill { running.since = now }
    running.checked = now
  }

  /// Whether a page may not have had the chance to send the rest, because the server has just started or stood still.
  private func isOwedTime(_ upload: Upload?) -> Bool {
    guard let upload, upload.length != upload.offset else { return false }
    return ContinuousClock.now - running.since < times.lease
  }

  /// Finishes a take that its page has left, again and again while the board cannot be written.
  private func finishAlone(_ take: TakeID) async {
    guard feed.isReadable, ContinuousClock.now >= nextTry.at else { return }
    do throws(RequestFailure) {
      _ = try await finish(take)
      nextTry = (.now, times.firstPause)
    } catch {
      nextTry = (.now + nextTry.after, min(nextTry.after * 2, times.longestPause))
    }
  }

  /// Pauses a take whose browser has given no sign for some time, which does not count as recorded.
  private func interrupt(_ take: Take, after silence: Duration) async {
    let now = Instant.now
    let last = Instant(secondsSince1970: now.secondsSince1970 - silence / .seconds(1)) ?? now
    _ = try? await feed.change { $0.apply(.takeFailed(take.id, reason: Self.silence), at: last) }
  }

  private static let foreignTake =
    "another program is making this recording; continue it there, or discard it and record again here"
  private static let ending = "the server was stopped"
  private static let leaving = "the page that was recording was closed or reloaded"
  private static let notRecorded = "only the upload of a recording can be left"
  private static let silence = "the browser that was recording stopped responding"

  /// Shows the pages which upload receives the open take.
  private func showRecorder() {
    guard let take = feed.board.session.take?.id, uploads.hasUploads(of: take) else { return feed.show(recorder: nil) }
    let (upload, guest) = (uploads.current(of: take), uploads.guest(of: take))
    guard upload != nil || guest != nil else { return feed.show(recorder: nil) }
    let isPresent = upload?.isRenewed ?? false
    feed.show(recorder: .init(take: take, upload: upload?.id, isPresent: isPresent, guest: guest.map { .init($0) }))
  }

  // MARK: - Outcomes

  private static func check(_ outcome: Outcome) throws(RequestFailure) {
    switch outcome {
    case .changed: return
    case .noop(let reason), .refused(let reason): throw RequestFailure(reason)
    }
  }
}
