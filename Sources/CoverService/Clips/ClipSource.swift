internal import Covers
internal import Files
public import SystemPackage

/// Which clips a batch is about.
public struct ClipSelection: Sendable {
  /// Files and folders that were named; folders are walked.
  public var paths: [FilePath]
  /// A file with paths of clips, `-` for standard input.
  public var list: FilePath?
  /// Whether a zero byte ends a path of the list, instead of a newline.
  public var listIsSeparatedByZeros: Bool
  /// How folders are walked.
  public var walk: WalkOptions
  /// The share that is wanted; `nil` for all.
  public var shard: Shard?

  /// Makes one of its parts.
  public init(
    paths: [FilePath],
    list: FilePath? = nil,
    listIsSeparatedByZeros: Bool = false,
    walk: WalkOptions = WalkOptions(),
    shard: Shard? = nil
  ) {
    self.paths = paths
    self.list = list
    self.listIsSeparatedByZeros = listIsSeparatedByZeros
    self.walk = walk
    self.shard = shard
  }

  /// Two named paths whose clips would have their covers at the same place below another folder.
  public var clash: (FilePath, FilePath)? {
    var earlier: [FilePath: FilePath] = [:]
    for path in paths {
      if let other = earlier.updateValue(path, forKey: path.ownName) { return (other, path) }
    }
    return nil
  }

  /// Whether the list can be read only once, as it comes through a pipe.
  var listIsPassing: Bool {
    guard let list else { return false }
    return list == "-" || (try? ClipVersion(of: list, followsLinks: true)) == nil
  }

}

/// Gives the clips of a selection one after another, in an order that hangs on nothing but their names.
struct ClipSource {
  private let selection: ClipSelection
  private var paths: ArraySlice<FilePath>
  private var walk: FolderWalk?
  private var list: ClipList?
  private var linksOfEarlierWalks = 0

  /// Symbolic links that were not followed until now.
  var passedLinks: Int { linksOfEarlierWalks + (walk?.passedLinks ?? 0) }

  /// - Parameters:
  ///   - selection: Which clips.
  ///   - isStopped: Asked while a list lets wait for its next path: whether nobody wants it any more.
  /// - Throws: ``ServiceError`` when the list cannot be opened.
  init(_ selection: ClipSelection, isStopped: @escaping @Sendable () -> Bool) throws(ServiceError) {
    self.selection = selection
    paths = selection.paths[...]
    if let list = selection.list {
      self.list = try ClipList(at: list, isSeparatedByZeros: selection.listIsSeparatedByZeros, isStopped: isStopped)
    }
  }

  /// - Throws: ``ServiceError`` when the list cannot be read.
  mutating func next() throws(ServiceError) -> Finding? {
    while let finding = try nextOfAllShards() {
      guard let shard = selection.shard else { return finding }
      switch finding {
      case .clip(let clip) where !shard.holds(clip.relativePath): continue
      // Every share comes upon the same folders; one of them tells.
      case .problem where shard.index != 1: continue
      case .clip, .problem: return finding
      }
    }
    return nil
  }

  private mutating func nextOfAllShards() throws(ServiceError) -> Finding? {
    while true {
      if let finding = walk?.next() { return finding }
      linksOfEarlierWalks += walk?.passedLinks ?? 0
      walk = nil
      guard let path = paths.popFirst() else { return try nextOfList() }
      guard Folder.exists(at: path) else {
        return .clip(named(path, relativePath: path.ownName))
      }
      walk = FolderWalk(
        of: path,
        // Several folders are kept apart below the folder of the covers.
        relativePath: selection.paths.count > 1 ? path.ownName : "",
        options: selection.walk
      )
    }
  }

  private mutating func nextOfList() throws(ServiceError) -> Finding? {
    guard let path = try list?.next() else { return nil }
    // Below the folder of the covers, however it was written: no root, no way up.
    let inside = FilePath(root: nil, path.lexicallyNormalized().components.filter { $0.kind == .regular })
    return .clip(named(path, relativePath: inside))
  }

  private func named(_ path: FilePath, relativePath: FilePath) -> FoundClip {
    FoundClip(path: path, relativePath: relativePath, isCertain: true, followsLinks: true)
  }
}

extension FilePath {
  /// The last name of the absolute path, also of `.` and `..`.
  fileprivate var ownName: FilePath {
    let absolute = isAbsolute ? self : FilePath.currentFolder.pushing(self)
    return FilePath(root: nil, absolute.lexicallyNormalized().components.suffix(1))
  }
}
