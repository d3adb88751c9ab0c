extension Trial {
  static let c1 = CanvasID(number: 1)
  static let take = TakeID(number: 1)

  private static let c2 = CanvasID(number: 2)
  /// A canvas that is not on a trial's board until it is added.
  private static let c3 = CanvasID(number: 3)
  private static let clip = ClipFile(unchecked: "a.mp4")
  private static let cover = CoverFile(unchecked: "a.png")

  private static let withFocus = SessionName.allCases.filter { $0 != .idle }
  private static let locked = SessionName.allCases.filter(\.isLocked)
  private static let unlocked = SessionName.allCases.filter { !$0.isLocked }

  /// Returns the trials of an event, one for each variant; each variant is a row of the table.
  static func all(of event: EventName) -> [Trial] {
    switch event {
    case .tap: onFocusAndAnother(Event.tap)
    case .select: onFocusAndAnother(Event.select)
    case .deselect: [Trial(.deselect)]
    case .preview: onFocusAndAnother(Event.preview)
    case .stopPreview: [Trial(.stopPreview)]
    case .recordStart: recordStart
    case .recordPause: [Trial(.recordPause)]
    case .recordResume: [Trial(.recordResume())]
    case .recordStop: [Trial(.recordStop)]
    case .recordDiscard: [Trial(.recordDiscard)]
    case .takeFinished: ofTakes { .takeFinished($0, clip) }
    case .takeFailed:
      ofTakes { failed($0) }
        + [Trial(failed(take), "(its take, interrupted already)", in: [.paused], inside: [failed(take)])]
    case .importClip: importClip
    case .removeClip:
      [Trial(.removeClip(c1), "(a clip)", before: [imported]), Trial(.removeClip(c1), "(no clip)")]
        + onStranger(Event.removeClip)
    case .coverReady: answers { .coverReady($0, generation: $1, cover) }
    case .coverFailed: answers { .coverFailed($0, generation: $1, reason: "no picture") }
    case .coverRetry: coverRetry
    case .addCanvas:
      [Trial(.addCanvas(c3), "(a new id)"), Trial(.addCanvas(c2), "(an id that exists)")]
        + (CanvasID("none").map { [Trial(.addCanvas($0), "(an invalid id)")] } ?? [])
    case .removeCanvas: onFocusAndAnother(Event.removeCanvas)
    case .moveCanvas: moveCanvas
    case .undo:
      [Trial(.undo, "(an import)", inside: [.importClip(c2, clip)]), Trial(.undo, "(nothing)", forgets: true)]
    case .redo:
      [Trial(.redo, "(an import)", inside: [.importClip(c2, clip), .undo]), Trial(.redo, "(nothing)")]
    }
  }

  // A clip that is imported first has generation 1.
  private static let imported = Event.importClip(c1, clip)
  private static let ready = Event.coverReady(c1, generation: 1, cover)

  private static func failed(_ take: TakeID) -> Event { .takeFailed(take, reason: "unplugged") }

  private static func onStranger(_ event: (CanvasID) -> Event) -> [Trial] {
    [Trial(event(c3), "(an unknown canvas)")]
  }

  private static func onFocusAndAnother(_ event: (CanvasID) -> Event) -> [Trial] {
    [Trial(event(c1), "(the focus)", in: withFocus), Trial(event(c2), "(another)")] + onStranger(event)
  }

  private static func ofTakes(_ event: (TakeID) -> Event) -> [Trial] {
    [
      Trial(event(take), "(any take)", in: unlocked), Trial(event(take), "(its take)", in: locked),
      Trial(event(TakeID(number: 2)), "(another take)", in: locked),
    ]
  }

  private static var recordStart: [Trial] {
    let (start, replacing) = (Event.recordStart(take: take), Event.recordStart(take: take, replace: true))
    return [
      Trial(start, "(no clip)"), Trial(start, "(a clip)", before: [imported]),
      Trial(replacing, "(a clip, replace)", before: [imported]),
    ]
  }

  private static var importClip: [Trial] {
    [
      Trial(imported, "(no clip)"), Trial(imported, "(a clip)", before: [imported]),
      Trial(.importClip(c1, clip, replace: true), "(a clip, replace)", before: [imported]),
    ] + onStranger { .importClip($0, clip) }
  }

  private static func answers(_ event: (CanvasID, _ generation: Int) -> Event) -> [Trial] {
    [
      Trial(event(c1, 1), "(pending)", before: [imported]),
      Trial(event(c1, 1), "(answered already)", before: [imported, ready]),
      Trial(event(c1, 0), "(another generation)", before: [imported]), Trial(event(c1, 1), "(no clip)"),
    ] + onStranger { event($0, 1) }
  }

  private static var coverRetry: [Trial] {
    let failed = Event.coverFailed(c1, generation: 1, reason: "no picture")
    return [
      Trial(.coverRetry(c1), "(ready)", before: [imported, ready]),
      Trial(.coverRetry(c1), "(failed)", before: [imported, failed]),
      Trial(.coverRetry(c1), "(pending)", before: [imported]), Trial(.coverRetry(c1), "(no clip)"),
    ] + onStranger(Event.coverRetry)
  }

  private static var moveCanvas: [Trial] {
    [
      Trial(.moveCanvas(c1, to: 1), "(to another position)"), Trial(.moveCanvas(c1, to: 0), "(to its own position)"),
      Trial(.moveCanvas(c1, to: 2), "(to an invalid position)"),
    ] + onStranger { .moveCanvas($0, to: 0) }
  }
}
