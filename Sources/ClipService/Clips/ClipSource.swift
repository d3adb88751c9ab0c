internal import Covers
internal import Files
package import SystemPackage

/// The clips of a batch.
package struct ClipSelection: Sendable {
  /// The named files and folders; folders are walked.
  package var paths: [FilePath]
  /// The path of a file that lists clips, or `-` for standard input.
  package var list: FilePath?
  /// Whether each path in the list ends in a zero byte instead of a newline.
  package var listIsSeparatedByZeros: Bool
  /// The options for walking folders.
  package var walk: WalkOptions
  /// The shard to process; `nil` for all clips.
  package var shard: Shard?

  /// Creates a selection.
  package init(
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

  /// Two named paths whose clips would have the same cover paths below another folder.
  package var clash: (FilePath, FilePath)? {
    var earlier: [FilePath: FilePath] = [:]
    for path in paths {
      if let other = earlier.updateValue(path, forKey: path.ownName) { return (other, path) }
    }
    return nil
  }

  /// Two named folders, `inner` inside `outer` once links are resolved; `nil` if no two are nested.
  package var nesting: (inner: FilePath, outer: FilePath)? {
    let folders = paths.compactMap { path in Folder.withoutLinks(path).map { (path: path, whole: $0) } }
    for (index, inner) in folders.enumerated() {
      for (other, outer) in folders.enumerated() where other != index && inner.whole.starts(with: outer.whole) {
        return (inner.path, outer.path)
      }
    }
    return nil
  }

  /// Whether the list can be read only once, because it comes from a pipe.
  var listIsPassing: Bool {
    guard let list else { return false }
    return list == "-" || (try? ClipVersion(of: list, followsLinks: true)) == nil
  }
}

/// An iterator over the clips of a selection, in an order that depends only on their names.
struct ClipSource: ClipFinder {
  private let selection: ClipSelection
  private let exclusions: IgnoreRules
  private var paths: ArraySlice<FilePath>
  private var walk: FolderWalk?
  private var list: ClipList?
  private var passedByEarlierWalks = PassedOver()

  var passedOver: PassedOver { passedByEarlierWalks + (walk?.passedOver ?? PassedOver()) }

  /// - Parameters:
  ///   - selection: The selection.
  ///   - isStopped: Returns whether to stop; called while waiting for the next path of a list.
  /// - Throws: ``ServiceError`` if the list cannot be opened.
  init(_ selection: ClipSelection, isStopped: @escaping @Sendable () -> Bool) throws(ServiceError) {
    self.selection = selection
    exclusions = IgnoreRules(patterns: selection.walk.exclusions.map(\.bytes))
    paths = selection.paths[...]
    if let list = selection.list {
      self.list = try ClipList(at: list, isSeparatedByZeros: selection.listIsSeparatedByZeros, isStopped: isStopped)
    }
  }

  /// - Throws: ``ServiceError`` if the list cannot be read.
  mutating func next() throws(ServiceError) -> Finding? {
    while let finding = try nextOfAllShards() {
      guard let shard = selection.shard else { return finding }
      switch finding {
      case .clip(let clip) where !shard.holds(clip.pathInFolder): continue
      // Every shard walks the same folders; only the first one reports their problems.
      case .problem where shard.index != 1: continue
      case .clip, .folder, .problem: return finding
      }
    }
    return nil
  }

  private mutating func nextOfAllShards() throws(ServiceError) -> Finding? {
    while true {
      if let finding = walk?.next() { return finding }
      passedByEarlierWalks = passedOver
      walk = nil
      guard let path = paths.popFirst() else { return try nextOfList() }
      guard Folder.exists(at: path) else {
        let name = path.ownName
        guard !exclusions.passOver(name.bytes) else { continue }
        let clip = FoundClip(named: path, relativePath: name)
        if let failure = missingFolder(clip) { return .problem(path, failure) }
        return .clip(clip)
      }
      // A clip's cover has the same place below another folder whichever folders are named beside this one.
      walk = FolderWalk(of: path, relativePath: path.ownName, options: selection.walk)
    }
  }

  /// Returns the failure of a named path that does not exist and is not named like a clip, so it must be a folder.
  private func missingFolder(_ clip: FoundClip) -> CoverFailure? {
    guard ClipExtension(ofName: clip.path.ownName.bytes) != .clip else { return nil }
    do throws(CoverFailure) {
      _ = try clip.version()
      return nil
    } catch {
      return error.cause == .missing ? error : nil
    }
  }

  private mutating func nextOfList() throws(ServiceError) -> Finding? {
    while let path = try list?.next() {
      // The cover must stay below its folder however the path is written, so root and `..` are removed.
      let inside = FilePath(root: nil, path.lexicallyNormalized().components.filter { $0.kind == .regular })
      if !exclusions.passOver(inside.bytes) { return .clip(FoundClip(named: path, relativePath: inside)) }
    }
    return nil
  }
}

extension FilePath {
  /// The last component of the absolute path, also for `.` and `..`.
  var ownName: FilePath {
    let absolute = isAbsolute ? self : FilePath.currentFolder.pushing(self)
    return FilePath(root: nil, absolute.lexicallyNormalized().components.suffix(1))
  }
}
