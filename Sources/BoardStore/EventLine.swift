public import CanvasModel

/// Why a line is not a valid event.
public struct EventLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A message such as `canvas is missing`.
  public let description: String
}

/// An event as one JSON object on a line: `{"event":"tap","canvas":"c1"}`.
///
/// The members are `canvas`, `take`, `owner`, `replace`, `clip`, `reason`, `generation`, `cover`, `region` and `to`,
/// depending on the event, and `at`, in seconds since 1970. A member that does not belong to the event is an error,
/// because it is probably a misspelling.
public struct EventLine: Hashable, Sendable {
  /// The event.
  public let event: Event
  /// When the event happens; `nil` for now.
  public let at: Instant?

  /// Parses a line.
  public init(parsing bytes: [UInt8]) throws(EventLineError) {
    do {
      let json = try JSON(parsing: bytes)
      let reader = JSONReader(json)
      let name = try reader.member("event").word(EventName.self)
      event = try Self.event(name, reader)
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

  private static func event(_ name: EventName, _ line: JSONReader) throws(ShapeError) -> Event {
    switch name {
    case .tap: .tap(try line.canvas())
    case .select: .select(try line.canvas())
    case .deselect: .deselect
    case .preview: .preview(try line.canvas())
    case .stopPreview: .stopPreview
    case .recordStart:
      .recordStart(
        take: try line.member("take").takeID(),
        replace: try line.replace(),
        owner: try line.optional("owner")?.owner()
      )
    case .recordPause: .recordPause
    case .recordResume: .recordResume
    case .recordStop: .recordStop
    case .recordDiscard: .recordDiscard
    case .takeFinished: .takeFinished(try line.member("take").takeID(), try line.member("clip").clipFile())
    case .takeFailed: .takeFailed(try line.member("take").takeID(), reason: try line.member("reason").string())
    case .importClip:
      .importClip(try line.canvas(), try line.member("clip").clipFile(), replace: try line.replace())
    case .removeClip: .removeClip(try line.canvas())
    case .coverReady:
      .coverReady(try line.canvas(), generation: try line.generation(), try line.member("cover").coverFile())
    case .coverFailed:
      .coverFailed(try line.canvas(), generation: try line.generation(), reason: try line.member("reason").string())
    case .coverRetry: .coverRetry(try line.canvas())
    case .addCanvas: .addCanvas(try line.canvas(), try line.optional("region")?.region() ?? .whole)
    case .removeCanvas: .removeCanvas(try line.canvas())
    case .moveCanvas: .moveCanvas(try line.canvas(), to: try line.member("to").int())
    case .undo: .undo
    case .redo: .redo
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
    case .deselect, .stopPreview, .recordPause, .recordResume, .recordStop, .recordDiscard, .undo, .redo: []
    case .recordStart: ["take", "replace", "owner"]
    case .takeFinished: ["take", "clip"]
    case .takeFailed: ["take", "reason"]
    case .importClip: ["canvas", "clip", "replace"]
    case .coverReady: ["canvas", "generation", "cover"]
    case .coverFailed: ["canvas", "generation", "reason"]
    case .addCanvas: ["canvas", "region"]
    case .moveCanvas: ["canvas", "to"]
    }
  }
}

extension JSONReader {
  fileprivate func canvas() throws(ShapeError) -> CanvasID { try member("canvas").canvasID() }

  fileprivate func replace() throws(ShapeError) -> Bool { try optional("replace")?.bool() ?? false }

  fileprivate func generation() throws(ShapeError) -> Int { try member("generation").count() }
}
