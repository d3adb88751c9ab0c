public import Covers
public import Files
public import SystemPackage

/// An order for a cover: the clip, the request and the destination.
public struct CoverOrder: Sendable {
  /// The destination of a cover.
  public enum Destination: Hashable, Sendable {
    case file(OutputPlace)
    case standardOutput

    var displayText: String {
      switch self {
      case .file(let place): place.path.displayText
      case .standardOutput: "-"
      }
    }
  }

  /// The clip's file.
  public var clip: FilePath
  /// The destination of the cover.
  public var destination: Destination
  /// The request.
  public var request: CoverRequest
  /// Whether to replace a cover that is fresh or a file that is not a ClipCanvas cover.
  public var isForced: Bool
  /// Whether the clip's path may be a symbolic link.
  var followsLinks = true
  /// Whether the user named the file or its extension is that of a clip; any other file may turn out not to be one.
  var isCertain = true
  /// The place of the cover in a batch, in which missing folders are created and failures recorded.
  var place: CoverPlace?
  /// Whether to retry a clip with a failure marker.
  var retriesFailures = false
  /// Whether to create missing folders for the cover.
  public var createsFolders = false

  /// Creates an order.
  public init(clip: FilePath, destination: Destination, request: CoverRequest, isForced: Bool = false) {
    self.clip = clip
    self.destination = destination
    self.request = request
    self.isForced = isForced
  }

  /// Creates an order of a batch.
  init(clip: FoundClip, place: CoverPlace, request: CoverRequest, isForced: Bool, retriesFailures: Bool) {
    self.init(clip: clip.path, destination: .file(place.cover), request: request, isForced: isForced)
    followsLinks = clip.followsLinks
    isCertain = clip.isCertain
    self.place = place
    createsFolders = true
    self.retriesFailures = retriesFailures
  }

  /// Returns the default path of a clip's cover, which is beside the clip: `a.mp4` → `a.mp4.png`.
  public static func defaultPath(for clip: FilePath, format: CoverFormat = .png) -> FilePath {
    clip.derivingName(suffix: ".\(format.fileExtension)")
  }
}
