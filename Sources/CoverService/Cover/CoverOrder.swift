public import Covers
public import Files
public import SystemPackage

/// A cover to be made: of what, by which request, and where it goes.
public struct CoverOrder: Sendable {
  /// Where a cover goes.
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
  /// Where the cover goes.
  public var destination: Destination
  /// What is asked of the cover.
  public var request: CoverRequest
  /// Makes the cover even when the one there is fresh, and replaces a file that is no cover of ours.
  public var isForced: Bool
  /// Whether a symbolic link in the clip's place is followed.
  var followsLinks = true
  /// Whether somebody said that it is a clip; one that nobody spoke of may turn out to be none.
  var isCertain = true
  /// Where the cover goes in a batch, which makes missing folders and keeps notes of failures.
  var place: CoverPlace?
  /// Whether a clip that is noted to give no cover is tried again.
  var retriesFailures = false
  /// Whether folders are created that the cover's place lacks.
  public var createsFolders = false

  /// Creates an order.
  public init(clip: FilePath, destination: Destination, request: CoverRequest, isForced: Bool = false) {
    self.clip = clip
    self.destination = destination
    self.request = request
    self.isForced = isForced
  }

  /// An order of a batch.
  init(clip: FoundClip, place: CoverPlace, request: CoverRequest, isForced: Bool, retriesFailures: Bool) {
    self.init(clip: clip.path, destination: .file(place.cover), request: request, isForced: isForced)
    followsLinks = clip.followsLinks
    isCertain = clip.isCertain
    self.place = place
    createsFolders = true
    self.retriesFailures = retriesFailures
  }

  /// Where a clip's cover goes by default: beside it, `a.mp4` → `a.mp4.png`.
  public static func defaultPath(for clip: FilePath, format: CoverFormat = .png) -> FilePath {
    clip.derivingName(suffix: ".\(format.fileEnding)")
  }
}
