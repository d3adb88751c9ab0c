public import Covers
internal import Files
public import SystemPackage

/// An order for a storyboard: the clip, the request and the place of the folder.
public struct StoryboardOrder: Sendable {
  /// The names of the files of a storyboard.
  public enum Layout: String, CaseIterable, Sendable {
    /// `a.mp4.storyboard/` with `storyboard.vtt`, which web players read, and `0.jpg`, `1.jpg` and so on.
    case webvtt
    /// `a.trickplay/320 - 10x10/` with `0.jpg`, `1.jpg` and so on, as Jellyfin keeps them beside its media.
    case jellyfin
  }

  /// The clip's file.
  let clip: FoundClip
  /// The folder in which the folder of the storyboard is created; `nil` for that of the clip.
  let folder: FilePath?
  /// The names of the files.
  let layout: Layout
  /// The request for the first sheet.
  let request: CoverRequest
  /// The plan of the first sheet.
  let plan: SheetPlan
  /// Whether to make a storyboard again that is fresh.
  let isForced: Bool

  /// Creates an order for a clip that the user named.
  ///
  /// - Parameters:
  ///   - clip: The path of the clip.
  ///   - folder: The folder in which the folder of the storyboard is created; `nil` for that of the clip.
  ///   - layout: The names of the files.
  ///   - request: The request for each sheet, without a plan; its size limits the tiles.
  ///   - plan: The plan of the first sheet.
  ///   - isForced: Whether to make a storyboard again that is fresh.
  public init(
    clip: FilePath,
    in folder: FilePath?,
    layout: Layout,
    request: CoverRequest,
    plan: SheetPlan,
    isForced: Bool
  ) {
    self.clip = FoundClip(named: clip, relativePath: clip)
    (self.folder, self.layout, self.isForced) = (folder, layout, isForced)
    var (request, plan) = (request, plan)
    plan.isPadded = layout == .jellyfin
    request.format = .jpeg
    request.sheet = plan
    (self.request, self.plan) = (request, plan)
  }

  /// Returns the request for a sheet.
  ///
  /// - Parameters:
  ///   - number: The number of the sheet, from 0.
  ///   - tileSize: The size of the tiles of the first sheet.
  func request(forSheet number: Int, tileSize: PixelSize?) -> CoverRequest {
    var (request, plan) = (request, plan)
    plan.number = number
    plan.tileSize = tileSize.flatMap { SizeLimit(width: $0.width, height: $0.height) }
    request.sheet = plan
    return request
  }
}
