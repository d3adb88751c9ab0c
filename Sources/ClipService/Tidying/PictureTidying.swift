internal import Covers
internal import Files
internal import SystemPackage

/// The removal of pictures and failure markers whose clips are gone.
///
/// A picture is removed if clipcanvas made it, the clip that it names does not exist, and its name is not derived from
/// that of any file in the corresponding folder. For a failure marker, only the last condition applies.
struct PictureTidying {
  let batch: Batch
  let isStopped: () -> Bool
  let report: (BatchEvent) -> Void

  /// Searches all folders of the batch, and removes what it finds unless the run is dry.
  func run() {
    for root in batch.clips.paths where Folder.exists(at: root) && !isStopped() {
      let hasClips = batch.isForced || hasClips(root)
      let kept = tidy(folders(of: root), isTrusted: hasClips)
      if kept > 0 { report(.keptPictures(of: root, count: kept)) }
    }
  }

  /// Searches folders that lost clips, and those that were removed themselves.
  func run(inChanged changed: ChangedFolders) {
    for folder in changed.inOrder where !isStopped() {
      for root in batch.clips.paths where folder.starts(with: root) {
        let inside = FilePath(root: nil, folder.components.dropFirst(root.components.count))
        let pictures = start(of: root)?.pushing(inside)
        guard let pictures, Folder.exists(at: pictures) else { continue }
        // A removed folder may have been replaced by another one.
        if changed.isGone(folder) {
          _ = tidy(folders(of: root, from: inside), isTrusted: true)
        } else if mayBeTidied(pictures, inside: inside) {
          _ = tidy(CollectionOfOne(tidying(pictures, inside: inside, of: root)), isTrusted: true)
        }
      }
    }
  }

  /// Removes pictures and failure markers without a clip.
  ///
  /// - Parameters:
  ///   - folders: The folders to search, outer ones first.
  ///   - isTrusted: Whether clips that do not exist are known to have been removed.
  /// - Returns: The number of pictures kept because that is not known.
  private func tidy(_ folders: some Sequence<FolderTidying>, isTrusted: Bool) -> Int {
    var kept = 0
    var goneFolders: [OutputPlace] = []
    for tidying in folders {
      let leftovers = tidying.leftovers()
      guard isTrusted else {
        kept += leftovers.count
        continue
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
    return kept
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

  private var isBesideClips: Bool {
    if case .besideClips = batch.placement { true } else { false }
  }

  /// Returns the folder of the pictures that corresponds to a named folder; `nil` in the thumbnail cache.
  private func start(of root: FilePath) -> FilePath? {
    switch batch.placement {
    case .besideClips: root
    case .below(let folder): folder.pushing(root.ownName)
    case .thumbnails: nil
    }
  }

  /// Returns the folders that may have pictures of the clips in a named folder, or in a folder inside it.
  private func folders(of root: FilePath, from inside: FilePath = "") -> some Sequence<FolderTidying> {
    var options = isBesideClips ? batch.clips.walk : WalkOptions(appliesDefaultExclusions: false)
    options.listsFolders = true
    var walk = start(of: root).map { $0.pushing(inside) }.flatMap { start in
      Folder.exists(at: start) ? FolderWalk(of: start, relativePath: inside, options: options) : nil
    }
    return AnyIterator {
      while !isStopped(), let finding = walk?.next() {
        if case .folder(let path, let relativePath) = finding, mayBeTidied(path, inside: relativePath) {
          return tidying(path, inside: relativePath, of: root)
        }
      }
      return nil
    }
  }

  private func tidying(_ folder: FilePath, inside: FilePath, of root: FilePath) -> FolderTidying {
    FolderTidying(
      folder: folder,
      clipFolder: isBesideClips ? folder : root.pushing(inside),
      derivedComponents: inside.components.count + (isBesideClips ? 0 : root.ownName.components.count),
      pattern: batch.name,
      takesAllFiles: batch.clips.walk.takesAllFiles,
      root: root
    )
  }

  /// Whether a folder is neither part of a storyboard nor one for the covers of a board, which belong to the board.
  private func mayBeTidied(_ folder: FilePath, inside: FilePath) -> Bool {
    guard !StoryboardPlace.isInside(inside) else { return false }
    var folder = folder
    for _ in 0...inside.components.count {
      if Self.isForBoard(folder) { return false }
      folder.removeLastComponent()
    }
    return true
  }

  /// Whether a folder has the name of one for the covers of a board, and a file that may be the board is next to it.
  private static func isForBoard(_ folder: FilePath) -> Bool {
    guard let name = folder.lastComponent.map({ FilePath(root: nil, [$0]) }),
      name.string.hasSuffix(FilePath.boardCoversSuffix)
    else { return false }
    let parent = OutputPlace(folder, derivedComponents: 1).folder
    guard let listing = try? FolderListing(all: parent) else { return false }
    return (0..<listing.count).contains { index in
      listing[index].kind != .folder && FilePath(bytes: listing[index].name).nameOfBoardCovers == name
    }
  }
}
