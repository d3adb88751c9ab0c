public import Covers
public import Files
public import SystemPackage

/// An order to copy clips into another container, one after another.
public struct RemuxOrder: Sendable {
  /// The paths of the clips.
  public let clips: [FilePath]
  /// The place of the video.
  public let place: OutputPlace
  /// How the clips are copied.
  public let request: RemuxRequest
  /// Whether to replace an existing file.
  public let isForced: Bool

  /// The largest number of clips.
  public static let maximumClips = 256

  /// Creates an order.
  public init(clips: [FilePath], place: OutputPlace, request: RemuxRequest, isForced: Bool) {
    (self.clips, self.place) = (clips, place)
    (self.request, self.isForced) = (request, isForced)
  }
}

/// How much of the clips was copied.
public struct RemuxProgress: Sendable {
  /// The number of bytes read.
  public let bytes: Int
  /// The size of all clips.
  public let totalBytes: Int
}
