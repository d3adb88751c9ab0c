internal import Covers
internal import Files
internal import SystemPackage

/// The search for pictures and failure markers in one folder whose clips are gone.
struct FolderTidying {
  /// The folder with the pictures.
  let folder: FilePath
  /// The folder that their clips were in; the same folder or a corresponding one.
  let clipFolder: FilePath
  /// The number of components at the end of the folder's path that the user did not name.
  let derivedComponents: Int
  /// The pattern of the names of covers.
  let pattern: CoverName
  /// Whether clips may have any file extension.
  let takesAllFiles: Bool
  /// The folder named by the user that clips must have been in.
  let root: FilePath

  /// A picture or marker whose clip is gone.
  struct Leftover {
    let place: OutputPlace
    let kind: RemovedPicture.Kind
    /// The URI of the clip.
    let clip: String?
  }

  /// Returns the pictures and markers whose clips are gone, in the order of names.
  func leftovers() -> [Leftover] {
    guard let listing = try? FolderListing(all: folder) else { return [] }
    let isOneFolder = folder == clipFolder
    let clips = isOneFolder ? listing : try? FolderListing(all: clipFolder)
    let names = PictureNames(clips, pattern: pattern, takesAllFiles: takesAllFiles)
    return (0..<listing.count).flatMap { index -> [Leftover] in
      let (name, fileKind) = listing[index]
      guard fileKind != .link, let kind = names.kind(of: name, isFolder: fileKind == .folder),
        !names.hasClip(ofName: name, kind: kind)
      else { return [] }
      return leftovers(at: FilePath(bytes: name), kind: kind)
    }
  }

  private func leftovers(at name: FilePath, kind: PictureNames.Kind) -> [Leftover] {
    let place = OutputPlace(folder.pushing(name), derivedComponents: derivedComponents + 1)
    switch kind {
    case .picture: return [picture(at: place)].compactMap(\.self)
    case .storyboard: return [storyboard(at: place)].compactMap(\.self)
    case .trickplay:
      let names: [String] = (try? place.folderNames()) ?? []
      return names.sorted().compactMap {
        storyboard(at: OutputPlace(place.path.appending($0), derivedComponents: derivedComponents + 2))
      }
    case .marker:
      return place.isFree({ FailureMarker(of: $0) != nil }) ? [Leftover(place: place, kind: .marker, clip: nil)] : []
    }
  }

  private func picture(at place: OutputPlace) -> Leftover? {
    guard case .file = place.occupant(), let file = try? place.openForReading() else { return nil }
    defer { try? file.close() }
    guard let head = CoverHead(of: file), head.isCover, let clip = goneClip(of: head) else { return nil }
    return Leftover(place: place, kind: RemovedPicture.Kind(head.kind), clip: clip)
  }

  private func storyboard(at place: OutputPlace) -> Leftover? {
    guard StoryboardPlace.isStoryboard(place), let head = StoryboardPlace.firstHead(in: place),
      let clip = goneClip(of: head)
    else { return nil }
    return Leftover(place: place, kind: .storyboard, clip: clip)
  }

  /// Returns the URI of a picture's clip if that is gone.
  ///
  /// A clip that was in another folder than that of this run may be on a disk that is not mounted, so its picture stays.
  private func goneClip(of head: CoverHead) -> String? {
    guard let uri = head[.uri], let path = FilePath(uri: uri) else { return nil }
    do throws(Errno) {
      _ = try FileStatus(of: path, followsLinks: false)
      return nil
    } catch {
      guard error == .noSuchFileOrDirectory || error == .notDirectory else { return nil }
    }
    return isInRoot(path) ? uri : nil
  }

  /// Whether the nearest folder of a path that exists is in the named folder, as it is written or where links lead.
  private func isInRoot(_ path: FilePath) -> Bool {
    var folder = path
    repeat {
      guard folder.removeLastComponent() else { return false }
    } while !Folder.exists(at: folder)
    if folder.starts(with: FilePath.currentFolder.pushing(root).lexicallyNormalized()) { return true }
    guard let whole = Folder.withoutLinks(folder), let rootWhole = Folder.withoutLinks(root) else { return false }
    return whole.starts(with: rootWhole)
  }
}

extension FolderTidying.Leftover {
  /// Removes the picture or marker, if it is still there and made by clipcanvas; returns whether it is gone.
  func remove() -> Bool {
    switch kind {
    case .cover, .sheet, .animation: place.remove { CoverHead(of: $0)?.isCover == true }
    case .marker: place.remove { FailureMarker(of: $0) != nil }
    case .storyboard: ReplacementFolder.remove(at: place, ifOurs: StoryboardPlace.isStoryboard)
    }
    if case .nothing = place.occupant() { return true }
    return false
  }
}

extension RemovedPicture.Kind {
  fileprivate init(_ kind: PictureKind) {
    switch kind {
    case .cover: self = .cover
    case .contactSheet: self = .sheet
    case .animation: self = .animation
    case .storyboard: self = .storyboard
    }
  }
}
