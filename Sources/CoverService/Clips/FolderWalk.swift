internal import Covers
internal import Files
package import SystemPackage

/// Which files of a folder count as clips, and how it is walked.
public struct WalkOptions: Sendable {
  /// Whether files of any ending are looked into, and not only those with a clip's.
  public var takesAllFiles: Bool
  /// Whether symbolic links are followed; a link back to a folder above is not.
  public var followsLinks: Bool

  /// Makes one of its parts.
  public init(takesAllFiles: Bool = false, followsLinks: Bool = false) {
    self.takesAllFiles = takesAllFiles
    self.followsLinks = followsLinks
  }
}

/// Goes through a folder and those below it, in the order of the names' bytes, and gives what may be a clip.
///
/// Names that start with a dot are passed over; so are covers, whose ending is no clip's. Only the folders on the way down
/// are held in memory.
package struct FolderWalk {
  private struct Level {
    let folder: FilePath
    let relativePath: FilePath
    let identity: FileIdentity?
    let listing: FolderListing
    var next = 0
  }

  private let options: WalkOptions
  private var levels: [Level] = []
  private var start: (folder: FilePath, relativePath: FilePath)?
  /// Symbolic links that were not followed.
  package private(set) var passedLinks = 0

  /// - Parameters:
  ///   - folder: Where to start.
  ///   - relativePath: What the relative paths of the clips start with; may be empty.
  package init(of folder: FilePath, relativePath: FilePath, options: WalkOptions) {
    self.options = options
    start = (folder, relativePath)
  }

  package mutating func next() -> Finding? {
    if let (folder, relativePath) = start.take(),
      let problem = enter(folder, relativePath: relativePath)
    {
      return problem
    }
    while let depth = levels.indices.last {
      let level = levels[depth]
      guard level.next < level.listing.count else {
        levels.removeLast()
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
    switch kind {
    case .folder: return enter(path, relativePath: relativePath)
    case .other: return clip(path, relativePath: relativePath, name: name)
    case .link:
      guard options.followsLinks else {
        passedLinks += 1
        return nil
      }
      return Folder.exists(at: path)
        ? enter(path, relativePath: relativePath) : clip(path, relativePath: relativePath, name: name)
    }
  }

  private func clip(_ path: FilePath, relativePath: FilePath, name: ArraySlice<UInt8>) -> Finding? {
    let ending = ClipEnding(ofName: name)
    guard ending != nil || options.takesAllFiles else { return nil }
    return .clip(
      FoundClip(
        path: path,
        relativePath: relativePath,
        isCertain: ending == .clip,
        followsLinks: options.followsLinks,
        // With --follow, links to folders are followed as if they were named.
        foundComponents: options.followsLinks ? 1 : levels.count
      )
    )
  }

  /// Goes down into a folder, or tells why not.
  private mutating func enter(_ folder: FilePath, relativePath: FilePath) -> Finding? {
    // Without links there are no loops.
    let identity = options.followsLinks ? FileIdentity(of: folder) : nil
    if let identity, levels.contains(where: { $0.identity == identity }) {
      passedLinks += 1
      return nil
    }
    do {
      let options = options
      let listing = try FolderListing(of: folder) { options.takesAllFiles || ClipEnding(ofName: $0) != nil }
      levels.append(Level(folder: folder, relativePath: relativePath, identity: identity, listing: listing))
      return nil
    } catch {
      return .problem(folder, ClipVersion.failure(for: error, what: "the folder cannot be read: "))
    }
  }
}
