package import Covers
package import Files
package import SystemPackage

/// An order to copy clips into another container, one after another.
package struct RemuxOrder: Sendable {
  /// The paths of the clips.
  package let clips: [FilePath]
  /// The place of the video.
  package let place: OutputPlace
  /// How the clips are copied.
  package let request: RemuxRequest
  /// Whether to replace an existing file.
  package let isForced: Bool

  /// The largest number of clips.
  package static let maximumClips = 256

  /// Creates an order.
  package init(clips: [FilePath], place: OutputPlace, request: RemuxRequest, isForced: Bool) {
    (self.clips, self.place) = (clips, place)
    (self.request, self.isForced) = (request, isForced)
  }
}

/// How much of the clips was copied.
package struct RemuxProgress: Sendable {
  /// The number of bytes read.
  package let bytes: Int
  /// The size of all clips.
  package let totalBytes: Int
}
