package import CanvasModel

/// Why a line is not a valid event.
package struct EventLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A message such as `canvas is missing`.
  package let description: String
}

/// An event as one JSON object on a line: `{"event":"tap","canvas":"c1"}`.
///
/// The event is named as in the output, such as `recordStart`, or like its command, `record start`.
/// The members are `canvas`, `take`, `owner`, `replace`, `clip`, `reason`, `generation`, `cover`, `region`, `from` and
/// `to`, depending on the event, and `at`, in seconds since 1970. A member that does not belong to the event is an error,
/// because it is probably a misspelling.
package struct EventLine: Hashable, Sendable {
  /// The event.
  package let event: Event
  /// When the event happens; `nil` for now.
  package let at: Instant?

  /// Parses a line.
  package init(parsing bytes: [UInt8]) throws(EventLineError) {
    do {
      let json = try JSON(parsing: bytes)
      let reader = JSONReader(json)
      let name = try reader.member("event").eventName()
      event = try reader.event(name)
      at = try reader.optional("at")?.instant()
      if let stray = Self.stray(in: json, of: name) {
        throw ShapeError(description: "\(name.rawValue) has no \(stray)")
      }
    } catch let error as ShapeError {
      throw EventLineError(description: error.description)
    } catch {
      throw EventLineError(description: "\(error)")
    }
  }

  /// Returns the first member that does not belong to the event.
  private static func stray(in json: JSON, of name: EventName) -> String? {
    guard case .object(let object) = json else { return nil }
    let known = members(of: name).union(["event", "at"])
    return object.members.map(\.key).first { !known.contains($0) }
  }

  private static func members(of name: EventName) -> Set<String> {
    switch name {
    case .tap, .select, .preview, .removeClip, .coverRetry, .removeCanvas: ["canvas"]
    case .deselect, .stopPreview, .recordPause, .recordStop, .recordDiscard, .undo, .redo: []
    case .recordStart: ["take", "replace", "owner"]
    case .recordResume: ["owner"]
    case .takeFinished: ["take", "clip"]
    case .takeFailed: ["take", "reason"]
    case .importClip: ["canvas", "clip", "replace"]
    case .trimClip: ["canvas", "from", "to"]
    case .useTake, .removeTake: ["canvas", "generation"]
    case .coverReady: ["canvas", "generation", "cover"]
    case .coverFailed: ["canvas", "generation", "reason"]
    case .addCanvas: ["canvas", "region"]
    case .moveCanvas: ["canvas", "to"]
    }
  }
}

extension JSONReader {
  /// Returns the event that an object describes; other members are ignored.
  func event() throws(ShapeError) -> Event { try event(try member("event").word(EventName.self)) }

  /// Returns the name of an event, which may also be the words of its command, such as `record start`.
  fileprivate func eventName() throws(ShapeError) -> EventName {
    if case .string(let text) = value, let name = EventName(command: text) { return name }
    return try word(EventName.self)
  }

  fileprivate func event(_ name: EventName) throws(ShapeError) -> Event {
    switch name {
    case .tap: .tap(try canvas())
    case .select: .select(try canvas())
    case .deselect: .deselect
    case .preview: .preview(try canvas())
    case .stopPreview: .stopPreview
    case .recordStart:
      .recordStart(
        take: try member("take").takeID(),
        replace: try replace(),
        owner: try optional("owner")?.owner()
      )
    case .recordPause: .recordPause
    case .recordResume: .recordResume(owner: try optional("owner")?.owner())
    case .recordStop: .recordStop
    case .recordDiscard: .recordDiscard
    case .takeFinished: .takeFinished(try member("take").takeID(), try member("clip").clipFile())
    case .takeFailed: .takeFailed(try member("take").takeID(), reason: try member("reason").string())
    case .importClip:
      .importClip(try canvas(), try member("clip").clipFile(), replace: try replace())
    case .removeClip: .removeClip(try canvas())
    case .trimClip: .trimClip(try canvas(), try trim())
    case .useTake: .useTake(try canvas(), generation: try generation())
    case .removeTake: .removeTake(try canvas(), generation: try generation())
    case .coverReady:
      .coverReady(try canvas(), generation: try generation(), try member("cover").coverFile())
    case .coverFailed:
      .coverFailed(try canvas(), generation: try generation(), reason: try member("reason").string())
    case .coverRetry: .coverRetry(try canvas())
    case .addCanvas: .addCanvas(try canvas(), try optional("region")?.region())
    case .removeCanvas: .removeCanvas(try canvas())
    case .moveCanvas: .moveCanvas(try canvas(), to: try member("to").int())
    case .undo: .undo
    case .redo: .redo
    }
  }

  private func canvas() throws(ShapeError) -> CanvasID { try member("canvas").canvasID() }

  private func replace() throws(ShapeError) -> Bool { try optional("replace")?.bool() ?? false }

  private func generation() throws(ShapeError) -> Int { try member("generation").count() }
}
