internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import SystemPackage

/// The requests that read and change the board.
struct BoardRoutes: Sendable {
  let feed: BoardFeed
  let covers: PageCovers
  let uploads: UploadFolder

  func add(to router: Router<ServerContext>) {
    router.get("/board") { _, _ in Response(bytes: feed.json, type: "application/json") }
    router.get("/canvases/:canvas/takes") { _, context in Response(try takes(of: context.canvas())) }
    router.get("/changes") { request, context in changes(request, for: context.guest) }
    router.post("/events") { request, context in try await apply(request, by: context.guest) }
  }

  // MARK: - Takes

  /// Returns the takes of a canvas with its clip, the oldest first.
  private func takes(of canvas: CanvasID) throws(RequestFailure) -> JSON {
    let board = feed.board
    guard board[canvas] != nil else { throw RequestFailure(.notFound, "the canvas was removed") }
    let takes = board.listedTakes(of: [canvas]).filter(\.isKept)
    return .array(takes.map { JSON(servedTake: $0, in: feed.file.folder) })
  }

  // MARK: - Following

  private func changes(_ request: Request, for guest: Guest?) -> Response {
    // Earlier changes contain the recording's duration at their time, not at present.
    let isTimed = feed.board.session.take != nil
    let known = isTimed ? nil : request.headers[.lastEventID].flatMap(feed.number)
    let feed = feed
    let body = ResponseBody { writer in
      var number = known
      var goesOn = true
      // A line at once, so that the browser knows that it is connected even if nothing is new.
      try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
      while goesOn, guest?.isRemoved != true {
        if let message = feed.message(after: number) {
          number = message.number
          try await writer.write(message.events)
        }
        guard let sent = number else { break }
        goesOn = await feed.wait(after: sent)
        // Fails when the browser has gone.
        if goesOn, feed.isUnchanged(since: sent) { try await writer.write(ByteBuffer(string: ":\n\n")) }
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
  }

  // MARK: - Events

  private func apply(_ request: Request, by guest: Guest?) async throws -> Response {
    let type = request.headers[.contentType]?.split(separator: ";").first.map { $0.lowercased() }
    guard type == "application/json" || type == "application/x-ndjson" else {
      throw RequestFailure(.unsupportedMediaType, "events must be sent as application/json, one per line")
    }
    let bytes = [UInt8](buffer: try await request.collected())
    var events: [(event: Event, at: Instant)] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
      events.append((try event(Array(line)), .now))
    }
    guard !events.isEmpty else { throw RequestFailure(.badRequest, "the request has no event") }
    let isLonely = events.contains { $0.event == .undo || $0.event == .redo }
    guard !isLonely || events.count == 1 else {
      throw RequestFailure(.badRequest, "undo and redo cannot be combined with other events; send them alone")
    }
    return try await answer(to: events, by: guest)
  }

  private func answer(
    to events: [(event: Event, at: Instant)],
    by guest: Guest?
  ) async throws(RequestFailure) -> Response {
    let (uploads, folder) = (uploads, feed.file.folder)
    let result = try await feed.change { board -> Result<(Outcome, [WaitingCover]), RequestFailure> in
      if let guest {
        for (event, _) in events {
          if let refusal = GuestRights.refusal(of: event, by: guest, on: board, uploads) { return .failure(refusal) }
        }
      }
      if let problem = board.problem(of: events.map(\.event), in: folder) {
        return .failure(RequestFailure(.conflict, problem))
      }
      let outcome = events.count == 1 ? board.apply(events[0].event, at: events[0].at) : board.apply(events).outcome
      let retried = events.compactMap { event, _ in
        switch event {
        case .coverRetry(let canvas), .trimClip(let canvas, _), .useTake(let canvas, _): canvas
        default: nil
        }
      }
      return .success((outcome, board.waitingCovers.filter { retried.contains($0.canvas) }))
    }
    let (outcome, waiting) = try result.get()
    if case .refused(let reason) = outcome { throw RequestFailure(reason) }
    for waiting in waiting { Task { await covers.make(waiting) } }
    return Response(JSON(outcome))
  }

  /// Reads an event that a page may send.
  private func event(_ line: [UInt8]) throws(RequestFailure) -> Event {
    let event: Event
    do throws(EventLineError) {
      event = try EventLine(parsing: line).event
    } catch {
      throw RequestFailure(.badRequest, "this is not an event: \(error)")
    }
    switch event {
    case .importClip, .takeFinished, .takeFailed, .coverReady, .coverFailed:
      throw RequestFailure(.forbidden, "\(event.name.rawValue) cannot be sent here: clips are uploaded")
    case .recordStart:
      throw RequestFailure(.forbidden, "recordStart cannot be sent here: a recording starts with its upload")
    case .recordResume(let owner) where owner != nil:
      throw RequestFailure(.forbidden, "the owner of a recording cannot be sent here")
    case .tap, .select, .deselect, .preview, .stopPreview, .recordPause, .recordResume, .recordStop, .recordDiscard,
      .removeClip, .trimClip, .useTake, .removeTake, .coverRetry, .addCanvas, .removeCanvas, .moveCanvas, .undo, .redo:
      return event
    }
  }
}

extension JSON {
  /// - Parameters:
  ///   - take: A take of a canvas.
  ///   - folder: The board's folder.
  fileprivate init(servedTake take: ListedTake, in folder: FilePath) {
    let clip = take.clip
    self = .object([
      "generation": JSON(clip.generation),
      "name": .string(take.fileName),
      "seconds": clip.playedSeconds.map { JSON($0) } ?? .null,
      "from": clip.trim.map { JSON($0.from) } ?? .null,
      "to": clip.trim?.to.map { JSON($0) } ?? .null,
      "bytes": clip.file.bytes.map { JSON($0) } ?? .null,
      "time": clip.file.mtimeNanoseconds.map { JSON(Double($0) / 1e9) } ?? .null,
      "cover": .string(take.cover.name.rawValue),
      "isInUse": .bool(take.isInUse),
      "file": .string(take.fileState(in: folder).rawValue),
    ])
  }
}

extension Request {
  /// Returns the body of a request that is not part of an upload.
  func collected() async throws -> ByteBuffer {
    do {
      return try await body.collect(upTo: UploadLimits.requestBytes)
    } catch is NIOTooManyBytesError {
      throw RequestFailure(.contentTooLarge, "a request can have at most \(UploadLimits.requestBytes >> 20) MiB")
    }
  }
}

extension HTTPField.Name {
  fileprivate static let lastEventID: HTTPField.Name = {
    guard let name = HTTPField.Name("Last-Event-ID") else { preconditionFailure("this is the name of a header") }
    return name
  }()
}
