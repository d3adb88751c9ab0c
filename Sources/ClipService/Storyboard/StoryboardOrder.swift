package import Covers
internal import Files
package import SystemPackage

/// The properties of a requested storyboard.
package struct StoryboardRequest: Sendable {
  /// The names of the files of a storyboard.
  package enum Layout: String, CaseIterable, Sendable {
    /// `a.mp4.storyboard/` with `storyboard.vtt`, which web players read, and `0.jpg`, `1.jpg` and so on.
    case webvtt
    /// `a.trickplay/320 - 10x10/` with `0.jpg`, `1.jpg` and so on, as Jellyfin keeps them beside its media.
    case jellyfin
  }

  /// The names of the files.
  let layout: Layout
  /// The plan of the first sheet.
  let plan: SheetPlan
  /// The request for the first sheet.
  let picture: CoverRequest

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - layout: The names of the files.
  ///   - plan: The plan of the first sheet.
  ///   - picture: The request for each sheet, without a plan; its size limits the tiles, and its format is ignored.
  package init(layout: Layout, plan: SheetPlan, picture: CoverRequest) {
    var (plan, picture) = (plan, picture)
    plan.isPadded = layout == .jellyfin
    picture.format = .jpeg
    picture.sheet = plan
    (self.layout, self.plan, self.picture) = (layout, plan, picture)
  }

  /// Returns the request for a sheet.
  ///
  /// - Parameters:
  ///   - number: The number of the sheet, from 0.
  ///   - tileSize: The size of the tiles of the first sheet.
  func picture(ofSheet number: Int, tileSize: PixelSize?) -> CoverRequest {
    var (picture, plan) = (picture, plan)
    plan.number = number
    plan.tileSize = tileSize.flatMap { SizeLimit(width: $0.width, height: $0.height) }
    picture.sheet = plan
    return picture
  }
}

/// An order for a storyboard: the clip, the request and the place of the folder.
package struct StoryboardOrder: Sendable {
  /// The clip's file.
  let clip: FoundClip
  /// The path from whose name that of the folder is derived.
  let target: FilePath
  /// The number of components at the end of the target that the user did not name.
  let derivedComponents: Int
  /// The request.
  let request: StoryboardRequest
  /// Whether to make a storyboard again that is fresh.
  let isForced: Bool
  /// Whether to create missing folders above it.
  let createsFolders: Bool

  /// Creates an order for a clip that the user named.
  ///
  /// - Parameters:
  ///   - clip: The path of the clip.
  ///   - folder: The folder where the folder of the storyboard is created; `nil` for that of the clip.
  ///   - request: The request.
  ///   - isForced: Whether to make a storyboard again that is fresh.
  package init(clip: FilePath, in folder: FilePath?, request: StoryboardRequest, isForced: Bool) {
    self.clip = FoundClip(named: clip, relativePath: clip)
    target = folder.flatMap { folder in clip.lastComponent.map { folder.appending($0) } } ?? clip
    derivedComponents = 1
    createsFolders = false
    (self.request, self.isForced) = (request, isForced)
  }

  /// Creates an order of a batch; returns `nil` if storyboards cannot be placed where its covers are.
  init?(clip: FoundClip, placement: CoverPlacement, request: StoryboardRequest, isForced: Bool) {
    switch placement {
    case .besideClips: (target, derivedComponents) = (clip.path, clip.foundComponents)
    case .below(let folder):
      (target, derivedComponents) = (folder.pushing(clip.relativePath), clip.relativePath.components.count)
    case .thumbnails: return nil
    }
    createsFolders = true
    (self.clip, self.request, self.isForced) = (clip, request, isForced)
  }
}

extension StoryboardOrder {
  /// The place from whose name that of the folder is derived.
  var targetPlace: OutputPlace { OutputPlace(target, derivedComponents: derivedComponents) }
}
