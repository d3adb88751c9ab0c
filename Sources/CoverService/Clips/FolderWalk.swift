internal import Covers
internal import Files
public import SystemPackage

/// The options for finding clips in a folder.
public struct WalkOptions: Sendable {
  /// Whether files with any extension are considered, rather than only those with a clip's extension.
  public var takesAllFiles: Bool
  /// Whether symbolic links are followed; a link to a parent folder on the path never is.
  public var followsLinks: Bool
  /// Patterns of files and folders to pass over, with the rules of gitignore(5).
  public var exclusions: [FilePath]
  /// Whether folders are returned instead of clips.
  var listsFolders = false

  /// Creates options.
  public init(takesAllFiles: Bool = false, followsLinks: Bool = false, exclusions: [FilePath] = []) {
    self.takesAllFiles = takesAllFiles
    self.followsLinks = followsLinks
    self.exclusions = exclusions
  }
}

/// A walk through a folder and its subfolders that returns possible clips, in the byte order of their names.
///
/// Names that start with a dot are skipped, and so are covers, whose extension is not that of a clip, and what the
/// exclusions and the folders' ``IgnoreFile`` say. Only the folders on the current path are kept in memory.
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
  /// The number of symbolic links not followed.
  package private(set) var passedLinks = 0

  /// - Parameters:
  ///   - folder: The folder to start in.
  ///   - relativePath: The prefix of the clips' relative paths; may be empty.
  package init(of folder: FilePath, relativePath: FilePath, options: WalkOptions) {
    self.options = options
    ignored = IgnoreStack(exclusions: options.exclusions)
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
    guard !ignored.ignores(name, isFolder: isFolder) else { return nil }
    guard kind != .link || options.followsLinks else {
      passedLinks += 1
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
      passedLinks += 1
      return nil
    }
    let listing: FolderListing
    do throws(Errno) {
      let options = options
      listing = try FolderListing(of: folder) { options.takesAllFiles || ClipExtension(ofName: $0) != nil }
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
