internal import Covers

/// A clip that a search for a frame left open.
package struct ReusableClip: ~Copyable {
  let clip: ClipDecoder
  /// The stream and the artwork that were requested.
  let stream: Int?
  let artwork: CoverRequest.Artwork
  /// Whether the clip holds the frame that the search found by its time.
  let holdsFrame: Bool

  /// Returns whether the clip was opened in a way that suits a request.
  func suits(_ request: CoverRequest) -> Bool {
    request.time.position != nil && (request.stream, request.artwork) == (stream, artwork)
  }
}
