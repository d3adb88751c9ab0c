internal import Covers
package import Files
public import SystemPackage

/// Where a batch puts its covers.
public enum CoverPlacement: Sendable {
  /// Beside each clip: `a.mp4` → `a.mp4.png`.
  case besideClips
  /// Below a folder, in the same folders as the clips.
  case below(FilePath)
  /// Into the cache that the desktops of a user share, as PNG.
  case thumbnails(FreedesktopCache, FreedesktopCache.Size)

  /// Where the cover of a clip goes, and where its failure is noted.
  ///
  /// - Parameter currentFolder: What relative paths are relative to.
  func place(of clip: FoundClip, format: CoverFormat, in currentFolder: FilePath) -> CoverPlace {
    switch self {
    case .besideClips: CoverPlace(of: clip.path, derivedComponents: clip.foundComponents, format: format)
    case .below(let folder):
      CoverPlace(
        of: folder.pushing(clip.relativePath),
        derivedComponents: clip.relativePath.components.count,
        format: format
      )
    case .thumbnails(let cache, let size):
      CoverPlace(
        cover: OutputPlace(cache.place(of: clip.path, size: size, in: currentFolder), derivedComponents: 1),
        marker: OutputPlace(cache.failPlace(of: clip.path, in: currentFolder), derivedComponents: 1),
        permissions: FreedesktopCache.filePermissions,
        folderPermissions: FreedesktopCache.folderPermissions,
        isShared: true
      )
    }
  }
}

/// Where the cover of one clip goes.
package struct CoverPlace: Sendable {
  package var cover: OutputPlace
  private let note: Note
  /// The mode of a new cover.
  var permissions: FilePermissions
  /// The mode of a new folder.
  var folderPermissions: FilePermissions
  /// Whether other programs put pictures of the same clip there: a good one of theirs will do, and a stale one is replaced.
  var isShared: Bool
  /// Whether the cover of another clip of the run may have the same place; that one is not replaced.
  var mayMeet = false

  package static let usualPermissions = FilePermissions(rawValue: 0o666)
  package static let usualFolderPermissions = FilePermissions(rawValue: 0o777)

  /// Where it is noted that the clip gives no cover.
  private enum Note {
    case at(OutputPlace)
    /// Beside the cover of the clip that stands, or stood, there: worked out when it is asked for, which is seldom.
    case ofClip(FilePath, derivedComponents: Int)
  }

  /// Where it is noted that the clip gives no cover.
  package var marker: OutputPlace {
    switch note {
    case .at(let place): place
    case .ofClip(let clip, let count):
      OutputPlace(clip.derivingName(prefix: ".", suffix: FailureMarker.ending), derivedComponents: count)
    }
  }

  package init(
    cover: OutputPlace,
    marker: OutputPlace,
    permissions: FilePermissions = usualPermissions,
    folderPermissions: FilePermissions = usualFolderPermissions,
    isShared: Bool = false
  ) {
    self.cover = cover
    note = .at(marker)
    self.permissions = permissions
    self.folderPermissions = folderPermissions
    self.isShared = isShared
  }
}

extension CoverPlace {
  /// The place of a cover which has the name that a batch would give it; another name is not a place of a batch's.
  init?(at cover: FilePath, of clip: FilePath, format: CoverFormat) {
    guard let name = clip.lastComponent else { return nil }
    self.init(of: cover.removingLastComponent().appending(name), derivedComponents: 1, format: format)
    guard self.cover.path.lastComponent == cover.lastComponent else { return nil }
  }

  /// The place of the cover of a clip, or of a clip that would stand at this path.
  fileprivate init(of clip: FilePath, derivedComponents count: Int, format: CoverFormat) {
    cover = OutputPlace(CoverOrder.defaultPath(for: clip, format: format), derivedComponents: count)
    note = .ofClip(clip, derivedComponents: count)
    permissions = Self.usualPermissions
    folderPermissions = Self.usualFolderPermissions
    isShared = false
  }
}
