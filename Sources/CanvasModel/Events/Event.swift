/// An event on a board.
package enum Event: Hashable, Sendable {
  case tap(CanvasID)
  case select(CanvasID)
  case deselect
  case preview(CanvasID)
  case stopPreview
  case recordStart(take: TakeID, replace: Bool = false, owner: Take.Owner? = nil)
  case recordPause
  /// Continues a recording; another process than before may own it.
  case recordResume(owner: Take.Owner? = nil)
  case recordStop
  case recordDiscard
  case takeFinished(TakeID, ClipFile)
  case takeFailed(TakeID, reason: String)
  case importClip(CanvasID, ClipFile, replace: Bool = false)
  case removeClip(CanvasID)
  /// Sets the part of the clip that is played; `nil` for all of it.
  case trimClip(CanvasID, Trim?)
  /// Puts a take on its canvas again; the clip there becomes a take.
  case useTake(CanvasID, generation: Int)
  /// Removes a take from the board; its file is kept.
  case removeTake(CanvasID, generation: Int)
  case coverReady(CanvasID, generation: Int, CoverFile)
  case coverFailed(CanvasID, generation: Int, reason: String)
  case coverRetry(CanvasID)
  /// Adds a canvas at the end of the order; without a region, it gets a free place, or all canvases form a new grid.
  case addCanvas(CanvasID, Region? = nil)
  case removeCanvas(CanvasID)
  /// Moves a canvas to a position in the order, counted from 0.
  case moveCanvas(CanvasID, to: Int)
  case undo
  case redo

  /// The name of the event, as used in JSON.
  package var name: EventName {
    switch self {
    case .tap: .tap
    case .select: .select
    case .deselect: .deselect
    case .preview: .preview
    case .stopPreview: .stopPreview
    case .recordStart: .recordStart
    case .recordPause: .recordPause
    case .recordResume: .recordResume
    case .recordStop: .recordStop
    case .recordDiscard: .recordDiscard
    case .takeFinished: .takeFinished
    case .takeFailed: .takeFailed
    case .importClip: .importClip
    case .removeClip: .removeClip
    case .trimClip: .trimClip
    case .useTake: .useTake
    case .removeTake: .removeTake
    case .coverReady: .coverReady
    case .coverFailed: .coverFailed
    case .coverRetry: .coverRetry
    case .addCanvas: .addCanvas
    case .removeCanvas: .removeCanvas
    case .moveCanvas: .moveCanvas
    case .undo: .undo
    case .redo: .redo
    }
  }

  /// The canvas that must exist for the event to be considered.
  package var subject: CanvasID? {
    switch self {
    case .tap(let canvas), .select(let canvas), .preview(let canvas), .removeClip(let canvas),
      .coverRetry(let canvas), .removeCanvas(let canvas):
      canvas
    case .importClip(let canvas, _, _), .coverReady(let canvas, _, _), .coverFailed(let canvas, _, _),
      .moveCanvas(let canvas, _), .trimClip(let canvas, _), .useTake(let canvas, _), .removeTake(let canvas, _):
      canvas
    case .deselect, .stopPreview, .recordStart, .recordPause, .recordResume, .recordStop, .recordDiscard,
      .takeFinished, .takeFailed, .addCanvas, .undo, .redo:
      nil
    }
  }

  /// The canvas that the event moves.
  var movedCanvas: CanvasID? { if case .moveCanvas(let canvas, _) = self { canvas } else { nil } }

  /// Whether the event is a user action that can be undone; events about covers are not.
  var isStep: Bool {
    switch self {
    case .coverReady, .coverFailed, .coverRetry: false
    case .tap, .select, .deselect, .preview, .stopPreview, .recordStart, .recordPause, .recordResume, .recordStop,
      .recordDiscard, .takeFinished, .takeFailed, .importClip, .removeClip, .trimClip, .useTake, .removeTake,
      .addCanvas, .removeCanvas, .moveCanvas, .undo, .redo:
      true
    }
  }
}

/// The names of the cases of ``Event``.
package enum EventName: String, CaseIterable, Sendable {
  case tap, select, deselect, preview, stopPreview
  case recordStart, recordPause, recordResume, recordStop, recordDiscard
  case takeFinished, takeFailed
  case importClip, removeClip, trimClip
  case useTake, removeTake
  case coverReady, coverFailed, coverRetry
  case addCanvas, removeCanvas, moveCanvas
  case undo, redo
}
