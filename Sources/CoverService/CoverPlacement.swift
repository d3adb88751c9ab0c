internal import Covers
public import SystemPackage

/// Where a batch puts its covers.
public enum CoverPlacement: Sendable {
  /// Beside each clip: `a.mp4` → `a.mp4.png`.
  case besideClips
  /// Below a folder, in the same folders as the clips.
  case below(FilePath)

  /// Where the cover of a clip goes, and where its failure is noted.
  func place(of clip: FoundClip, format: CoverFormat) -> CoverPlace {
    switch self {
    case .besideClips: CoverPlace(of: clip.path, format: format)
    case .below(let folder): CoverPlace(of: folder.pushing(clip.relativePath), format: format)
    }
  }
}

/// Where the cover of one clip goes.
struct CoverPlace: Sendable {
  var cover: FilePath
  /// Where it is noted that the clip gives none.
  var marker: FilePath
  /// Of a cover that was not there.
  var permissions = FilePermissions(rawValue: 0o666)
  /// Of a folder that was not there.
  var folderPermissions = FilePermissions(rawValue: 0o777)

  /// That of a clip, or of a clip that stood there.
  fileprivate init(of clip: FilePath, format: CoverFormat) {
    cover = CoverOrder.defaultPath(for: clip, format: format)
    let name = clip.lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
    marker = clip.removingLastComponent()
      .pushing(FilePath(bytes: [UInt8(ascii: ".")] + name + Array(FailureMarker.ending.utf8)))
  }
}
