internal import Covers
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
    case .besideClips: CoverPlace(of: clip.path, format: format)
    case .below(let folder): CoverPlace(of: folder.pushing(clip.relativePath), format: format)
    case .thumbnails(let cache, let size):
      CoverPlace(
        cover: cache.place(of: clip.path, size: size, in: currentFolder),
        marker: cache.failPlace(of: clip.path, in: currentFolder),
        permissions: FreedesktopCache.filePermissions,
        folderPermissions: FreedesktopCache.folderPermissions,
        isShared: true
      )
    }
  }
}

/// Where the cover of one clip goes.
package struct CoverPlace: Sendable {
  package var cover: FilePath
  private let note: Note
  /// Of a cover that was not there.
  var permissions: FilePermissions
  /// Of a folder that was not there.
  var folderPermissions: FilePermissions
  /// Whether other programs put pictures of the same clip there: a good one of theirs will do, and a stale one is replaced.
  var isShared: Bool
  /// Whether the cover of another clip of the run may have the same place; that one is not replaced.
  var mayMeet = false

  package static let usualPermissions = FilePermissions(rawValue: 0o666)
  package static let usualFolderPermissions = FilePermissions(rawValue: 0o777)

  /// Where it is noted that the clip gives none.
  private enum Note {
    case at(FilePath)
    /// Beside the cover of the clip that stands, or stood, there: worked out when it is asked for, which is seldom.
    case ofClip(FilePath)
  }

  /// Where it is noted that the clip gives none.
  package var marker: FilePath {
    switch note {
    case .at(let path): return path
    case .ofClip(let clip):
      let name = clip.lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
      let markerName = FilePath(bytes: [UInt8(ascii: ".")] + name + Array(FailureMarker.ending.utf8))
      return clip.removingLastComponent().pushing(markerName)
    }
  }

  package init(
    cover: FilePath,
    marker: FilePath,
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
  /// That of a cover which has the name that a batch would give it; another name is no place of a batch's.
  init?(at cover: FilePath, of clip: FilePath, format: CoverFormat) {
    guard let name = clip.lastComponent else { return nil }
    self.init(of: cover.removingLastComponent().appending(name), format: format)
    guard self.cover.lastComponent == cover.lastComponent else { return nil }
  }

  /// That of a clip, or of a clip that stood there.
  fileprivate init(of clip: FilePath, format: CoverFormat) {
    cover = CoverOrder.defaultPath(for: clip, format: format)
    note = .ofClip(clip)
    permissions = Self.usualPermissions
    folderPermissions = Self.usualFolderPermissions
    isShared = false
  }
}
