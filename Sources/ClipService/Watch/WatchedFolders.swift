internal import Covers
internal import Files
internal import SystemPackage

/// The named folders of a batch, and the rules that decide which files and folders in them count.
struct WatchedFolders: Sendable {
  let roots: [FilePath]
  let options: WalkOptions
  /// Files that the program writes beside the pictures; they are never treated as clips.
  let outputs: [FilePath]

  /// The named folder that a path is in.
  func root(of path: FilePath) -> FilePath? {
    roots.filter { path.starts(with: $0) }.max { $0.components.count < $1.components.count }
  }

  /// Whether clips are searched for in a folder: it is neither hidden nor ignored, and in no such folder.
  func holds(folder: FilePath) -> Bool {
    guard let root = root(of: folder) else { return false }
    return folder == root || accepts(folder, in: root, isFolder: true)
  }

  /// Whether a name may be that of a clip; hidden files, such as the new version of a picture, are not clips.
  func mayBeClip(_ name: FilePath) -> Bool {
    let bytes = name.bytes
    return !FolderListing.isHidden(bytes[...]) && (options.takesAllFiles || ClipExtension(ofName: bytes) != nil)
  }

  /// Returns the clip at a path; `nil` if it is not a regular file, or is passed over.
  func clip(at path: FilePath) -> FoundClip? {
    guard let root = root(of: path), let name = path.lastComponent.map({ FilePath(root: nil, [$0]) }), mayBeClip(name),
      let status = try? FileStatus(of: path, followsLinks: false), status.kind == .regular,
      !outputs.contains(where: { FileIdentity(of: $0) == status.identity }), accepts(path, in: root, isFolder: false)
    else { return nil }
    let inside = FilePath(root: nil, path.components.dropFirst(root.components.count))
    return FoundClip(
      path: path,
      relativePath: root.ownName.pushing(inside),
      isCertain: ClipExtension(ofName: name.bytes) == .clip,
      followsLinks: false,
      mayVanish: true,
      foundComponents: inside.components.count
    )
  }

  private func accepts(_ path: FilePath, in root: FilePath, isFolder: Bool) -> Bool {
    var ignored = IgnoreStack(options)
    var (folder, folderName): (FilePath, [UInt8]) = (root, [])
    let components = path.components.dropFirst(root.components.count)
    for (index, component) in components.enumerated() {
      let name = FilePath(root: nil, [component]).bytes
      let kind: FolderListing.Kind = isFolder || index < components.count - 1 ? .folder : .other
      guard !FolderListing.isHidden(name[...]) || DefaultExclusions.knows(hidden: name[...], kind),
        (try? ignored.enter(folder, name: folderName)) != nil,
        ignored.verdict(on: name[...], isFolder: kind == .folder, in: folder) == .taken
      else { return false }
      folder.append(component)
      folderName = name
    }
    return true
  }
}
