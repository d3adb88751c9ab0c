extension Scenario {
  static let c1 = CanvasID(number: 1)
  static let take = TakeID(number: 1)

  private static let c2 = CanvasID(number: 2)
  /// A canvas that is not on a scenario's board until it is added.
  private static let c3 = CanvasID(number: 3)
  private static let clip = ClipFile(unchecked: "a.mp4")
  private static let cover = CoverFile(unchecked: "a.png")

  private static let withFocus = SessionName.allCases.filter { $0 != .idle }
  private static let locked = SessionName.allCases.filter(\.isLocked)
  private static let unlocked = SessionName.allCases.filter { !$0.isLocked }

  /// Returns the scenarios of an event, one for each variant; each variant is a row of the table.
  static func all(of event: EventName) -> [Scenario] {
    switch event {
    case .tap: onFocusAndAnother(Event.tap)
    case .select: onFocusAndAnother(Event.select)
    case .deselect: [Scenario(.deselect)]
    case .preview: onFocusAndAnother(Event.preview)
    case .stopPreview: [Scenario(.stopPreview)]
    case .recordStart: recordStart
    case .recordPause: [Scenario(.recordPause)]
    case .recordResume: [Scenario(.recordResume())]
    case .recordStop: [Scenario(.recordStop)]
    case .recordDiscard: [Scenario(.recordDiscard)]
    case .takeFinished: ofTakes { .takeFinished($0, clip) }
    case .takeFailed:
      ofTakes { failed($0) }
        + [Scenario(failed(take), "(its take, interrupted already)", in: [.paused], inside: [failed(take)])]
    case .importClip: importClip
    case .removeClip:
      [Scenario(.removeClip(c1), "(a clip)", before: [imported]), Scenario(.removeClip(c1), "(no clip)")]
        + onStranger(Event.removeClip)
    case .trimClip: trimClip
    case .useTake:
      [
        Scenario(.useTake(c1, generation: 1), "(a take)", before: [imported, replacement]),
        Scenario(.useTake(c1, generation: 1), "(the clip)", before: [imported]),
        Scenario(.useTake(c1, generation: 1), "(an unknown take)"),
      ] + onStranger { .useTake($0, generation: 1) }
    case .removeTake:
      [
        Scenario(.removeTake(c1, generation: 1), "(a take)", before: [imported, replacement]),
        Scenario(.removeTake(c1, generation: 1), "(the clip)", before: [imported]),
        Scenario(.removeTake(c1, generation: 1), "(an unknown take)"),
      ] + onStranger { .removeTake($0, generation: 1) }
    case .coverReady: answers { .coverReady($0, generation: $1, cover) }
    case .coverFailed: answers { .coverFailed($0, generation: $1, reason: "no picture") }
    case .coverRetry: coverRetry
    case .addCanvas:
      [Scenario(.addCanvas(c3), "(a new id)"), Scenario(.addCanvas(c2), "(an id that exists)")]
        + (CanvasID("none").map { [Scenario(.addCanvas($0), "(an invalid id)")] } ?? [])
    case .removeCanvas: onFocusAndAnother(Event.removeCanvas)
    case .moveCanvas: moveCanvas
    case .undo:
      [Scenario(.undo, "(an import)", inside: [.importClip(c2, clip)]), Scenario(.undo, "(nothing)", forgets: true)]
    case .redo:
      [Scenario(.redo, "(an import)", inside: [.importClip(c2, clip), .undo]), Scenario(.redo, "(nothing)")]
    }
  }

  // A clip that is imported first has generation 1.
  private static let imported = Event.importClip(c1, clip)
  private static let replacement = Event.importClip(c1, ClipFile(unchecked: "b.mp4"), replace: true)
  private static let ready = Event.coverReady(c1, generation: 1, cover)

  private static func failed(_ take: TakeID) -> Event { .takeFailed(take, reason: "unplugged") }

  private static func onStranger(_ event: (CanvasID) -> Event) -> [Scenario] {
    [Scenario(event(c3), "(an unknown canvas)")]
  }

  private static func onFocusAndAnother(_ event: (CanvasID) -> Event) -> [Scenario] {
    [Scenario(event(c1), "(the focus)", in: withFocus), Scenario(event(c2), "(another)")] + onStranger(event)
  }

  private static func ofTakes(_ event: (TakeID) -> Event) -> [Scenario] {
    [
      Scenario(event(take), "(any take)", in: unlocked), Scenario(event(take), "(its take)", in: locked),
      Scenario(event(TakeID(number: 2)), "(another take)", in: locked),
    ]
  }

  private static var recordStart: [Scenario] {
    let (start, replacing) = (Event.recordStart(take: take), Event.recordStart(take: take, replace: true))
    return [
      Scenario(start, "(no clip)"), Scenario(start, "(a clip)", before: [imported]),
      Scenario(replacing, "(a clip, replace)", before: [imported]),
    ]
  }

  private static var importClip: [Scenario] {
    [
      Scenario(imported, "(no clip)"), Scenario(imported, "(a clip)", before: [imported]),
      Scenario(.importClip(c1, clip, replace: true), "(a clip, replace)", before: [imported]),
    ] + onStranger { .importClip($0, clip) }
  }

  private static var trimClip: [Scenario] {
    let short = ClipFile(path: "a.mp4", durationSeconds: 4).map { Event.importClip(c1, $0) }
    let (part, whole) = (Event.trimClip(c1, Trim(from: 1, to: 5)), Event.trimClip(c1, nil))
    return [
      Scenario(part, "(a part)", before: [imported]), Scenario(part, "(the same part)", before: [imported, part]),
      Scenario(whole, "(the whole clip)", before: [imported, part]),
      Scenario(part, "(beyond the clip)", before: [short].compactMap(\.self)), Scenario(part, "(no clip)"),
    ] + onStranger { .trimClip($0, nil) }
  }

  private static func answers(_ event: (CanvasID, _ generation: Int) -> Event) -> [Scenario] {
    [
      Scenario(event(c1, 1), "(pending)", before: [imported]),
      Scenario(event(c1, 1), "(answered already)", before: [imported, ready]),
      Scenario(event(c1, 0), "(another generation)", before: [imported]), Scenario(event(c1, 1), "(no clip)"),
    ] + onStranger { event($0, 1) }
  }

  private static var coverRetry: [Scenario] {
    let failed = Event.coverFailed(c1, generation: 1, reason: "no picture")
    return [
      Scenario(.coverRetry(c1), "(ready)", before: [imported, ready]),
      Scenario(.coverRetry(c1), "(failed)", before: [imported, failed]),
      Scenario(.coverRetry(c1), "(pending)", before: [imported]), Scenario(.coverRetry(c1), "(no clip)"),
    ] + onStranger(Event.coverRetry)
  }

  private static var moveCanvas: [Scenario] {
    [
      Scenario(.moveCanvas(c1, to: 1), "(to another position)"),
      Scenario(.moveCanvas(c1, to: 0), "(to its own position)"),
      Scenario(.moveCanvas(c1, to: 2), "(to an invalid position)"),
    ] + onStranger { .moveCanvas($0, to: 0) }
  }
}
