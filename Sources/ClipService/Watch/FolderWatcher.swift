internal import Files
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Collects changes in watched folders for a ``ClipWatch``.
///
/// A clip is ready when it has been closed or moved into a folder, or when it has not changed for two seconds. If
/// changes were lost, if the rules for ignored files changed, or if a named folder is back, all folders are searched.
struct FolderWatcher: ~Copyable {
  private let watch: ClipWatch
  /// The changes; `nil` if the system does not report them.
  private var changes: FolderChanges?
  /// Whether the folders are searched at intervals, because not all changes are reported.
  private var searches = false
  /// The named folders that exist.
  private var roots: [FilePath: FileIdentity] = [:]
  /// Those among them that cannot be read.
  private var unreadableRoots: Set<FilePath> = []
  private var lastSearch = ContinuousClock.now

  init(_ watch: ClipWatch) { self.watch = watch }

  /// Starts watching all folders.
  mutating func start() {
    do throws(Errno) {
      changes = try FolderChanges(includesAttributes: true)
    } catch {
      search(because: error == .tooManyOpenFiles ? .tooManyPrograms : .failed(error))
    }
    for root in watch.folders.roots { enter(root: root) }
  }

  /// Collects changes until the watch is stopped.
  mutating func run() {
    while !watch.isStopped {
      watch.collecting.wait(or: [changes?.descriptor].compactMap(\.self), timeout: pause)
      if let new = changes?.next() { handle(new) }
      checkGrowing()
      checkRoots()
      if searches, lastSearch.duration(to: .now) >= searchInterval { search() }
    }
  }

  /// How long nothing has to be done unless something changes.
  private var pause: Duration {
    let isGrowing = watch.state.withLock { !$0.growing.isEmpty }
    guard !isGrowing else { return watch.times.growingCheck }
    return roots.count < watch.folders.roots.count ? watch.times.missingRootCheck : watch.times.rootCheck
  }

  /// The time between two searches, which grows with the time that a search takes.
  private var searchInterval: Duration { watch.state.withLock { $0.pollingInterval } ?? watch.times.search }

  private mutating func search() {
    lastSearch = .now
    watch.note { $0.needsPass = true }
  }

  /// Searches at intervals from now on.
  private mutating func search(because reason: WatchNotice.Reason) {
    guard !searches else { return }
    searches = true
    let notice = WatchNotice.polling(reason, seconds: Int(watch.times.search.components.seconds))
    watch.note { $0.notices.append(notice) }
    search()
  }
}

// MARK: - Changes

extension FolderWatcher {
  private mutating func handle(_ new: FolderChanges.Changes) {
    for change in new.changes { handle(change) }
    guard new.areIncomplete || new.changes.contains(where: Self.concernsRules) else { return }
    // Among what was lost may be that watched folders are gone.
    if new.areIncomplete, let fresh = try? FolderChanges(includesAttributes: true) { changes = fresh }
    for root in roots.keys { watchFolders(from: root, areNew: false) }
    search()
  }

  /// Whether a change may be one of the rules for ignored files.
  private static func concernsRules(_ change: FolderChanges.Change) -> Bool {
    change.name == FilePath(IgnoreFile.name) && !change.isFolder && change.kind != .folderGone
  }

  private mutating func handle(_ change: FolderChanges.Change) {
    let path = change.folder.pushing(change.name)
    switch change.kind {
    case .folderGone: break
    case .created, .closed, .arrived, .attributes:
      if change.isFolder {
        // A folder may have become readable.
        if change.kind != .attributes || changes?.isWatching(path) == false { watchFolders(from: path, areNew: true) }
      } else if watch.folders.mayBeClip(change.name) {
        note(path, isComplete: change.kind == .closed || change.kind == .arrived)
      }
    case .removed, .movedAway: forget(change, at: path)
    }
  }

  /// Notes a file that may be a clip.
  private func note(_ path: FilePath, isComplete: Bool) {
    let file = isComplete ? nil : GrowingFile(path)
    watch.note { state in
      state.growing[path] = file
      if isComplete { state.ready.add(path) }
    }
  }

  private func forget(_ change: FolderChanges.Change, at path: FilePath) {
    if change.isFolder, change.kind == .movedAway { changes?.forget(path) }
    guard change.isFolder || watch.folders.mayBeClip(change.name) else { return }
    watch.note { state in
      state.growing[path] = nil
      state.ready.remove(path)
      state.failed.remove(path)
      if change.isFolder { return state.changedFolders.add(gone: path) }
      state.changedFolders.add(change.folder)
      for clip in state.failed.takeWithoutPlace(in: change.folder) { state.ready.add(clip) }
    }
  }

  /// Watches a folder and the folders below it.
  ///
  /// - Parameter areNew: Whether clips that are already in them have to be noted, too.
  private mutating func watchFolders(from start: FilePath, areNew: Bool) {
    var folders = [start]
    while let folder = folders.popLast(), let changes {
      guard watch.folders.holds(folder: folder) else { continue }
      do throws(Errno) {
        try changes.watch(folder)
      } catch {
        // Folders may be gone again. Those that cannot be read are reported by the search, and
        // watched when they can be.
        if error == .permissionDenied, roots[folder] != nil { unreadableRoots.insert(folder) }
        guard error == .noSpace || error == .noMemory else { continue }
        self.changes = nil
        return search(because: .tooManyFolders)
      }
      guard
        let listing = try? FolderListing(
          of: folder,
          includesHidden: DefaultExclusions.knows,
          isWanted: { areNew && watch.folders.mayBeClip(FilePath(bytes: $0)) }
        )
      else { continue }
      for index in 0..<listing.count {
        let (name, kind) = listing[index]
        let path = folder.pushing(FilePath(bytes: name))
        switch kind {
        case .folder: folders.append(path)
        case .other: note(path, isComplete: GrowingFile(path)?.isRecent(within: watch.times.quiet) == false)
        case .link: break
        }
      }
    }
  }
}

// MARK: - Files and named folders

extension FolderWatcher {
  /// Notes which files have become complete.
  private func checkGrowing() {
    let growing = watch.state.withLock { $0.growing }
    guard !growing.isEmpty else { return }
    for (path, file) in growing {
      let now = GrowingFile(path)
      if let now, now.isUnchanged(since: file) {
        guard file.isQuiet(for: watch.times.quiet) else { continue }
        note(path, isComplete: true)
      } else {
        watch.state.withLock { $0.growing[path] = now }
      }
    }
  }

  /// Notes which named folders are gone, back, or can be read at last.
  private mutating func checkRoots() {
    for root in watch.folders.roots {
      let identity = FileIdentity(of: root)
      if identity == roots[root] {
        if unreadableRoots.contains(root), (try? changes?.watch(root)) != nil {
          unreadableRoots.remove(root)
          watchFolders(from: root, areNew: false)
          search()
        }
        continue
      }
      if roots[root] != nil { leave(root: root) }
      if identity != nil { enter(root: root) }
    }
  }

  private mutating func enter(root: FilePath) {
    guard let identity = FileIdentity(of: root), Folder.exists(at: root) else {
      watch.state.withLock { _ = $0.missingRoots.insert(root) }
      return
    }
    roots[root] = identity
    if Folder.isOnNetwork(root) { search(because: .network(root)) }
    watchFolders(from: root, areNew: false)
    watch.note { state in
      if state.missingRoots.remove(root) != nil { state.notices.append(.folderIsBack(root)) }
      state.needsPass = true
    }
  }

  private mutating func leave(root: FilePath) {
    roots[root] = nil
    changes?.forget(root)
    watch.note { state in
      state.missingRoots.insert(root)
      state.notices.append(.folderGone(root))
    }
  }
}
