internal import Covers
internal import Files
internal import SystemPackage

/// The removal of pictures and failure markers whose clips are gone.
///
/// A picture is removed if clipcanvas made it, the clip that it names does not exist, and no file in the corresponding folder
/// has a name from which its name is derived. A failure marker has only its name.
struct PictureTidying {
  private let batch: Batch
  /// The folder that relative paths are resolved against.
  private let currentFolder: FilePath
  private let isStopped: () -> Bool

  init(_ batch: Batch, folder: FilePath, isStopped: @escaping () -> Bool) {
    (self.batch, currentFolder, self.isStopped) = (batch, folder, isStopped)
  }

  /// Searches all folders of the batch, and removes what it finds unless the run is dry.
  func run(_ report: (BatchEvent) -> Void) {
    for path in batch.clips.paths where Folder.exists(at: path) && !isStopped() {
      run(in: path, report)
    }
  }

  private func run(in root: FilePath, _ report: (BatchEvent) -> Void) {
    let hasClips = batch.isForced || hasClips(root)
    var kept = 0
    var goneFolders: [OutputPlace] = []
    forEachFolder(of: root) { tidying in
      let leftovers = tidying.leftovers()
      guard hasClips else {
        kept += leftovers.count
        return
      }
      for leftover in leftovers where batch.isDry || leftover.remove() { report(.removed(record(of: leftover))) }
      if !Folder.exists(at: tidying.clipFolder) {
        goneFolders.append(OutputPlace(tidying.folder, derivedComponents: tidying.derivedComponents))
      }
    }
    // Only folders that are empty are removed.
    if !batch.isDry {
      for folder in goneFolders.reversed() { Folder.removeIfEmpty(folder) }
    }
    if kept > 0 { report(.keptPictures(of: root, count: kept)) }
  }

  private func record(of leftover: FolderTidying.Leftover) -> RemovedPicture {
    RemovedPicture(
      kind: leftover.kind,
      path: leftover.place.path.displayText,
      clip: leftover.clip,
      isPlanned: batch.isDry
    )
  }

  /// Whether a folder has any clips; if not, its disk may not be mounted.
  private func hasClips(_ root: FilePath) -> Bool {
    var walk = FolderWalk(of: root, relativePath: "", options: batch.clips.walk)
    while !isStopped(), let finding = walk.next() {
      if case .clip = finding { return true }
    }
    return false
  }

  /// Calls a function for each folder that may have pictures of clips in a named folder.
  private func forEachFolder(of root: FilePath, _ body: (FolderTidying) -> Void) {
    let start: FilePath
    var options = WalkOptions()
    switch batch.placement {
    case .besideClips: (start, options) = (root, batch.clips.walk)
    case .below(let folder): start = folder.pushing(root.ownName)
    case .thumbnails: return
    }
    options.listsFolders = true
    let isBeside = start == root
    guard Folder.exists(at: start) else { return }
    var walk = FolderWalk(of: start, relativePath: "", options: options)
    while !isStopped(), let finding = walk.next() {
      guard case .folder(let path, let relativePath) = finding, !StoryboardPlace.isInside(relativePath) else {
        continue
      }
      body(
        FolderTidying(
          folder: path,
          clipFolder: isBeside ? path : root.pushing(relativePath),
          derivedComponents: relativePath.components.count + (isBeside ? 0 : root.ownName.components.count),
          pattern: batch.name,
          root: isBeside ? nil : root
        )
      )
    }
  }
}
