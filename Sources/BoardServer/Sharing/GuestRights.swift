internal import BoardStore
internal import CanvasModel
internal import HTTPTypes
internal import Hummingbird

/// What guests may do: look at the board and its clips, open their camera on a canvas, and record there.
///
/// They change nothing that others made: an own recording can be replaced by its guest, any other clip cannot.
enum GuestRights {
  /// The answer to what only the owner may do.
  static let refusal = RequestFailure(
    .forbidden,
    "a phone that was invited may look and record, but not do this; ask the owner of the board"
  )
  /// The answer to a recording over the clip of another.
  static let foreignClip = RequestFailure(
    .forbidden,
    "this canvas has a clip of another person; choose an empty canvas"
  )

  /// Checks that a guest may send a request at all.
  ///
  /// The routes check which event or upload it is, and those for owners that it is not a guest's.
  static func check(_ request: Request) throws(RequestFailure) {
    let path = request.uri.path
    let isAllowed =
      switch request.method {
      case .get: true
      case .head: path.hasPrefix("/uploads/") || MediaRoutes.isMedia(path)
      case .post: path == "/events" || path == "/takes" || path.hasPrefix("/uploads/")
      case .patch: path.hasPrefix("/uploads/")
      case .options: path == "/takes"
      default: false
      }
    guard isAllowed else { throw refusal }
  }

  /// Returns why a guest may not apply an event to a board; `nil` if it may.
  static func refusal(of event: Event, by guest: Guest, on board: Board, _ uploads: UploadFolder) -> RequestFailure? {
    switch event {
    case .tap, .select, .deselect, .preview, .stopPreview: return nil
    case .recordPause, .recordResume, .recordStop, .recordDiscard:
      guard let take = board.session.take else { return nil }
      let recorder = uploads.guest(of: take.id)
      if recorder === guest { return nil }
      // What no page records any more may be kept, so that the board is free again.
      if case .recordStop = event, uploads.hasUploads(of: take.id), uploads.current(of: take.id)?.isRenewed != true {
        return nil
      }
      return RequestFailure(
        .forbidden,
        "\(recorder?.name ?? "another person") is recording on \(take.canvas); you can record when that has ended"
      )
    case .importClip, .takeFinished, .takeFailed, .coverReady, .coverFailed, .recordStart, .removeClip, .trimClip,
      .useTake, .removeTake, .coverRetry, .addCanvas, .removeCanvas, .moveCanvas, .undo, .redo:
      return refusal
    }
  }
}

extension ServerContext {
  /// Refuses a request of a guest.
  func requireOwner() throws(RequestFailure) {
    guard guest == nil else { throw GuestRights.refusal }
  }
}
