package import CanvasModel

extension JSON {
  /// Creates the JSON of an event, which ``EventLine`` parses.
  package init(_ event: Event) {
    var members: [(String, JSON)] = [("event", .string(event.name.rawValue))]
    switch event {
    case .tap(let canvas), .select(let canvas), .preview(let canvas), .removeClip(let canvas),
      .coverRetry(let canvas), .removeCanvas(let canvas):
      members.append(Self.member(canvas))
    case .deselect, .stopPreview, .recordPause, .recordStop, .recordDiscard, .undo, .redo: break
    case .recordStart(let take, let replace, let owner):
      members += [Self.member(take)] + Self.replacing(replace) + (owner.map { [("owner", JSON($0))] } ?? [])
    case .recordResume(let owner): members += owner.map { [("owner", JSON($0))] } ?? []
    case .takeFinished(let take, let file): members += [Self.member(take), ("clip", JSON(file))]
    case .takeFailed(let take, let reason): members += [Self.member(take), ("reason", .string(reason))]
    case .importClip(let canvas, let file, let replace):
      members += [Self.member(canvas), ("clip", JSON(file))] + Self.replacing(replace)
    case .trimClip(let canvas, let trim): members += [Self.member(canvas)] + Self.members(of: trim)
    case .useTake(let canvas, let generation), .removeTake(let canvas, let generation):
      members += [Self.member(canvas), ("generation", JSON(generation))]
    case .coverReady(let canvas, let generation, let file):
      members += [Self.member(canvas), ("generation", JSON(generation)), ("cover", JSON(file))]
    case .coverFailed(let canvas, let generation, let reason):
      members += [Self.member(canvas), ("generation", JSON(generation)), ("reason", .string(reason))]
    case .addCanvas(let canvas, let region):
      members += [Self.member(canvas)] + (region.map { [("region", JSON($0))] } ?? [])
    case .moveCanvas(let canvas, let position): members += [Self.member(canvas), ("to", JSON(position))]
    }
    self = .object(JSONObject(members))
  }

  private static func member(_ canvas: CanvasID) -> (String, JSON) { ("canvas", .string(canvas.description)) }

  private static func member(_ take: TakeID) -> (String, JSON) { ("take", .string(take.description)) }

  private static func replacing(_ replace: Bool) -> [(String, JSON)] { replace ? [("replace", .bool(true))] : [] }
}
