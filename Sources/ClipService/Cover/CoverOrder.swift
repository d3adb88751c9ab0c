package import Covers
package import Files
package import SystemPackage

/// An order for a cover: the clip, the request and the destination.
package struct CoverOrder: Sendable {
  /// The destination of a cover.
  package enum Destination: Hashable, Sendable {
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
  let clip: FoundClip
  /// The destination of the cover.
  package var destination: Destination
  /// The request.
  package var request: CoverRequest
  /// The program that draws contact sheets; required if the request is for one.
  package var artist: SheetArtist?
  /// Whether to replace a cover that is fresh or a file that is not a ClipCanvas cover.
  package var isForced: Bool
  /// The place of the cover in a batch, which creates missing folders and records failures.
  var place: CoverPlace?
  /// Whether to retry a clip with a failure marker.
  var retriesFailures = false
  /// Whether to create missing folders for the cover.
  package var createsFolders = false
  /// Whether the outcome of a fresh cover includes its facts, even if it is not degraded.
  var reportsFacts = true
  /// Whether a cover that differs from the request only in its size is fresh.
  var keepsSize = false
  /// The pattern of the cover's name, if the name was derived from that of the clip.
  package var name = CoverName.usual

  /// Creates an order for a clip that the user named.
  package init(clip: FilePath, destination: Destination, request: CoverRequest, isForced: Bool = false) {
    self.clip = FoundClip(named: clip, relativePath: clip)
    self.destination = destination
    self.request = request
    self.isForced = isForced
  }

  /// Creates an order for the clip on standard input.
  package init(clip: InputClip, destination: Destination, request: CoverRequest, isForced: Bool = false) {
    self.clip = FoundClip(clip)
    self.destination = destination
    self.request = request
    self.isForced = isForced
  }

  /// Creates an order of a batch.
  init(clip: FoundClip, place: CoverPlace, request: CoverRequest, isForced: Bool, retriesFailures: Bool) {
    (self.clip, self.request, self.place) = (clip, request, place)
    destination = .file(place.cover)
    (self.isForced, self.retriesFailures) = (isForced, retriesFailures)
    createsFolders = true
  }

  /// Creates an order of a batch for something else than a cover.
  init(clip: FoundClip, at place: OutputPlace, request: CoverRequest, artist: SheetArtist?, isForced: Bool) {
    (self.clip, self.request, self.artist, self.isForced) = (clip, request, artist, isForced)
    destination = .file(place)
    createsFolders = true
  }

  /// Returns the default path of what a request makes of a clip, which is beside the clip: `a.mp4` → `a.mp4.png`,
  /// `a.mp4.sheet.png` or `a.mp4.preview.webp`.
  package static func defaultPath(for clip: FilePath, request: CoverRequest) -> FilePath {
    switch (request.kind, request.animation) {
    case (.animation, let plan?): clip.derivingName(suffix: ".preview.\(plan.format.fileExtension)")
    case (.contactSheet, _): clip.derivingName(suffix: ".sheet.\(request.format.fileExtension)")
    case (.cover, _), (.storyboard, _), (.animation, nil): CoverName.usual.path(for: clip, format: request.format)
    }
  }
}
