internal import Covers
package import Files
package import SystemPackage

/// The location of the covers of a batch.
package enum CoverPlacement: Sendable {
  /// Beside each clip: `a.mp4` → `a.mp4.png`.
  case besideClips
  /// Below a folder, in the same subfolders as the clips.
  case below(FilePath)
  /// In the thumbnail cache shared by a user's desktops, in PNG format.
  case thumbnails(FreedesktopCache, FreedesktopCache.Size)

  /// Returns the places of a clip's cover and of its failure marker.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - name: The pattern of the cover's name; not used in the thumbnail cache.
  ///   - format: The format of the cover.
  ///   - currentFolder: The folder that relative paths are resolved against.
  func place(
    of clip: FoundClip,
    name: CoverName,
    format: CoverFormat,
    in currentFolder: FilePath
  ) -> CoverPlace {
    switch self {
    case .besideClips: CoverPlace(of: clip.path, derivedComponents: clip.foundComponents, name: name, format: format)
    case .below(let folder):
      CoverPlace(
        of: folder.pushing(clip.relativePath),
        derivedComponents: clip.relativePath.components.count,
        name: name,
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

extension CoverPlacement {
  /// The folder for all pictures and the system's error, if it exists and nothing can be created in it.
  var readOnlyFolder: (FilePath, Errno)? {
    guard case .below(let folder) = self, let error = folder.writingError, error != .noSuchFileOrDirectory else {
      return nil
    }
    return (folder, error)
  }

  /// Whether the folder for the pictures of a clip exists and can be written to, although one above it cannot.
  func isWritable(for clip: FoundClip) -> Bool {
    guard case .below(let folder) = self else { return true }
    let own = folder.pushing(clip.relativePath).removingLastComponent()
    return Folder.exists(at: own) && own.writingError == nil
  }

  /// Returns the place of a clip's contact sheet or animation; `nil` in the thumbnail cache, which has none.
  func place(of request: CoverRequest, for clip: FoundClip) -> OutputPlace? {
    switch self {
    case .besideClips:
      OutputPlace(CoverOrder.defaultPath(for: clip.path, request: request), derivedComponents: clip.foundComponents)
    case .below(let folder):
      OutputPlace(
        CoverOrder.defaultPath(for: folder.pushing(clip.relativePath), request: request),
        derivedComponents: clip.relativePath.components.count
      )
    case .thumbnails: nil
    }
  }
}

/// The place of the cover of one clip.
package struct CoverPlace: Sendable {
  package var cover: OutputPlace
  private let note: Note
  /// The mode of a new cover.
  var permissions: FilePermissions
  /// The mode of a new folder.
  var folderPermissions: FilePermissions
  /// Whether other programs store pictures of the same clip there; a valid one is kept, and a stale one is replaced.
  var isShared: Bool

  package static let usualPermissions = FilePermissions(rawValue: 0o666)
  package static let usualFolderPermissions = FilePermissions(rawValue: 0o777)

  /// The place of the failure marker.
  private enum Note {
    case at(OutputPlace)
    /// Beside the cover of the clip at, or formerly at, a path; computed on demand, because it is rarely needed.
    case ofClip(FilePath, derivedComponents: Int)
  }

  /// The place of the failure marker.
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
  /// Creates the place of a cover; fails unless the cover has the name that a batch would give it.
  init?(at cover: FilePath, of clip: FilePath, name: CoverName, format: CoverFormat) {
    guard let ownName = clip.lastComponent else { return nil }
    self.init(of: cover.removingLastComponent().appending(ownName), derivedComponents: 1, name: name, format: format)
    guard self.cover.path.lastComponent == cover.lastComponent else { return nil }
  }

  /// Creates the place of the cover of a clip at the given path.
  fileprivate init(of clip: FilePath, derivedComponents count: Int, name: CoverName, format: CoverFormat) {
    cover = OutputPlace(name.path(for: clip, format: format), derivedComponents: count)
    note = .ofClip(clip, derivedComponents: count)
    permissions = Self.usualPermissions
    folderPermissions = Self.usualFolderPermissions
    isShared = false
  }
}
