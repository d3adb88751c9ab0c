internal import Covers
internal import Files
package import SystemPackage

/// The options for finding clips in a folder.
package struct WalkOptions: Sendable {
  /// Whether files with any extension are considered, rather than only those with a clip's extension.
  package var takesAllFiles: Bool
  /// Whether symbolic links are followed; a link to a parent folder on the path never is.
  package var followsLinks: Bool
  /// Patterns of files and folders to pass over, with the rules of gitignore(5).
  package var exclusions: [FilePath]
  /// Whether the folders of NAS systems and desktops, and folders that contain a file `.nomedia`, are passed over.
  package var appliesDefaultExclusions: Bool
  /// Whether folders are returned instead of clips.
  var listsFolders = false

  /// Creates options.
  package init(
    takesAllFiles: Bool = false,
    followsLinks: Bool = false,
    exclusions: [FilePath] = [],
    appliesDefaultExclusions: Bool = true
  ) {
    self.takesAllFiles = takesAllFiles
    self.followsLinks = followsLinks
    self.exclusions = exclusions
    self.appliesDefaultExclusions = appliesDefaultExclusions
  }
}

/// A walk through a folder and its subfolders that returns possible clips, in the byte order of their names.
///
/// It skips names that start with a dot, files whose extension is not that of a clip (covers among them), and what the
/// exclusions, the folders' `IgnoreFile` or the `DefaultExclusions` name. Only the folders on the current path are
/// kept in memory.
package struct FolderWalk {
  private struct Level {
    let folder: FilePath
    let relativePath: FilePath
    let identity: FileIdentity?
    let listing: FolderListing
    var next = 0
  }

  private let options: WalkOptions
  private var ignored: IgnoreStack
  private var levels: [Level] = []
  private var start: (folder: FilePath, relativePath: FilePath)?
  /// What was not examined.
  package private(set) var passedOver = PassedOver()

  /// - Parameters:
  ///   - folder: The folder to start in.
  ///   - relativePath: The prefix of the clips' relative paths; may be empty.
  ///   - options: What is walked and left out.
  package init(of folder: FilePath, relativePath: FilePath, options: WalkOptions) {
    self.options = options
    ignored = IgnoreStack(options)
    start = (folder, relativePath)
  }

  package mutating func next() -> Finding? {
    if let (folder, relativePath) = start.take(),
      let finding = enter(folder, relativePath: relativePath, name: [])
    {
      return finding
    }
    while let depth = levels.indices.last {
      let level = levels[depth]
      guard level.next < level.listing.count else {
        levels.removeLast()
        ignored.leave()
        continue
      }
      levels[depth].next += 1
      let (name, kind) = level.listing[level.next]
      if let finding = look(at: name, kind: kind, in: level) { return finding }
    }
    return nil
  }

  private mutating func look(at name: ArraySlice<UInt8>, kind: FolderListing.Kind, in level: Level) -> Finding? {
    let component = FilePath(bytes: name)
    let path = level.folder.pushing(component)
    let relativePath = level.relativePath.pushing(component)
    let isFolder = kind == .folder || (kind == .link && options.followsLinks && Folder.exists(at: path))
    switch ignored.verdict(on: name, isFolder: isFolder, in: level.folder) {
    case .taken: break
    case .ignored: return nil
    case .excludedByDefault:
      passedOver.defaultExclusions += 1
      return nil
    }
    guard kind != .link || options.followsLinks else {
      passedOver.links += 1
      return nil
    }
    return isFolder
      ? enter(path, relativePath: relativePath, name: Array(name)) : clip(path, relativePath: relativePath, name: name)
  }

  private func clip(_ path: FilePath, relativePath: FilePath, name: ArraySlice<UInt8>) -> Finding? {
    let ending = ClipExtension(ofName: name)
    guard ending != nil || options.takesAllFiles, !options.listsFolders else { return nil }
    return .clip(
      FoundClip(
        path: path,
        relativePath: relativePath,
        isCertain: ending == .clip,
        followsLinks: options.followsLinks,
        // With `--follow`, links to folders are followed as if the user had named them.
        foundComponents: options.followsLinks ? 1 : levels.count
      )
    )
  }

  /// Enters a folder; returns why that is not possible, or the folder if folders are wanted.
  private mutating func enter(_ folder: FilePath, relativePath: FilePath, name: [UInt8]) -> Finding? {
    // Loops are possible only if links are followed.
    let identity = options.followsLinks ? FileIdentity(of: folder) : nil
    if let identity, levels.contains(where: { $0.identity == identity }) {
      passedOver.links += 1
      return nil
    }
    let listing: FolderListing
    do throws(Errno) {
      var otherFiles = 0
      let options = options
      listing = try FolderListing(of: folder, includesHidden: DefaultExclusions.knows) { name in
        if options.takesAllFiles || ClipExtension(ofName: name) != nil { return true }
        otherFiles += ClipExtension.isPicture(name) ? 0 : 1
        return false
      }
      passedOver.otherFiles += otherFiles
    } catch {
      return .problem(folder, ClipVersion.failure(for: error, what: "the folder cannot be read: "))
    }
    do throws(CoverFailure) {
      try ignored.enter(folder, name: name)
      levels.append(Level(folder: folder, relativePath: relativePath, identity: identity, listing: listing))
      return options.listsFolders ? .folder(folder, relativePath: relativePath) : nil
    } catch {
      // Without the rules, something that should be passed over might be processed.
      return .problem(folder.appending(IgnoreFile.name), error)
    }
  }
}
