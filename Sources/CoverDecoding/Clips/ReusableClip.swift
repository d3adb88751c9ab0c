internal import Covers

/// A clip that a search for a frame left open.
package struct ReusableClip: ~Copyable {
  let clip: ClipDecoder
  /// What was requested.
  let source: FrameSource
  /// Whether the clip holds the frame that the search found by its time.
  let holdsFrame: Bool

  /// Returns whether the clip was opened in a way that suits a request.
  func suits(_ request: CoverRequest) -> Bool {
    request.time.position != nil && FrameSource(request) == source
  }
}

/// What a request selects frames from.
struct FrameSource: Equatable {
  private let stream, programme: Int?
  private let artwork: CoverRequest.Artwork

  init(_ request: CoverRequest) {
    (stream, programme, artwork) = (request.stream, request.programme, request.artwork)
  }
}
