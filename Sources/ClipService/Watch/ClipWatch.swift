internal import Covers
internal import Dispatch
internal import Files
internal import Synchronization
internal import SystemPackage

/// The clips that arrive in watched folders, as collected by a ``FolderWatcher`` on a separate thread.
final class ClipWatch: Sendable {
  /// What has happened since it was last handled.
  struct State {
    /// The clips that can be processed.
    var ready = PathQueue()
    /// The clips that are being processed.
    var inWork: Set<FilePath> = []
    /// The clips that may still be written.
    var growing: [FilePath: GrowingFile] = [:]
    /// The folders that lost clips, by removal or by renaming.
    var changedFolders = ChangedFolders()
    /// The clips that failed and are tried again.
    var failed: FailedClips
    /// Whether all folders have to be searched.
    var needsPass = true
    var notices: [WatchNotice] = []
    var missingRoots: Set<FilePath> = []
    var isStopped = false
    /// The time between two searches if the system reports no changes.
    var pollingInterval: Duration?

    /// Whether clips can be processed, among them those that failed and are due.
    mutating func hasClips() -> Bool {
      for clip in failed.takeDue() { ready.add(clip) }
      return !ready.isEmpty
    }
  }

  let folders: WatchedFolders
  let times: WatchTimes
  let state: Mutex<State>
  /// Wakes the thread that collects changes.
  let collecting: Wakeup
  /// Wakes the thread that waits for them.
  private let handling: Wakeup

  /// Starts watching; no later change is missed.
  ///
  /// - Throws: ``ServiceError`` if there are not enough descriptors.
  init(_ folders: WatchedFolders, times: WatchTimes) throws(ServiceError) {
    (self.folders, self.times) = (folders, times)
    state = Mutex(State(failed: FailedClips(times)))
    do throws(Errno) {
      (collecting, handling) = (try Wakeup(), try Wakeup())
    } catch {
      throw ServiceError("cannot watch folders: \(error.message)")
    }
    var watcher = FolderWatcher(self)
    watcher.start()
    QueueConfined(label: "clipcanvas.watch", watcher).later { $0.run() }
  }

  /// Ends the watch; a thread that waits for work returns at once.
  func stop() {
    state.withLock { $0.isStopped = true }
    collecting.signal()
    handling.signal()
  }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Changes the state and wakes the thread that handles it.
  func note(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    handling.signal()
  }

  /// Waits until something has happened, or for the given time.
  func wait(_ timeout: Duration? = nil) { handling.wait(timeout: timeout) }

  /// Takes the next clip that can be processed and is not being processed; call ``finish(_:because:)``
  /// when that has ended.
  func takeClip() -> FoundClip? {
    while let path = takePath() {
      if let clip = folders.clip(at: path) { return clip }
      finish(path)
    }
    return nil
  }

  private func takePath() -> FilePath? {
    state.withLock { state in
      guard state.hasClips() else { return nil }
      let path = state.ready.takeFirst(notIn: state.inWork)
      if let path { state.inWork.insert(path) }
      return path
    }
  }

  /// Records that processing a clip has ended.
  ///
  /// - Parameter causes: Why it has failed, if that may pass.
  func finish(_ path: FilePath, because causes: Set<CoverFailure.Cause> = []) {
    note { state in
      state.inWork.remove(path)
      state.failed.record(path, causes)
    }
  }

  /// Returns whether a clip that was found by searching may still be written; it then becomes ready later.
  func postpones(_ clip: FoundClip) -> Bool {
    guard let file = GrowingFile(clip.path) else { return false }
    let isGrowing = state.withLock { state in
      guard state.growing[clip.path] == nil, file.isRecent(within: times.quiet) else {
        return state.growing[clip.path] != nil
      }
      state.growing[clip.path] = file
      return true
    }
    if isGrowing { collecting.signal() }
    return isGrowing
  }
}

/// A file that may still be written: its size and modification time, and since when they have been the same.
struct GrowingFile {
  private let bytes: Int
  private let time: FileTime
  private let start = ContinuousClock.now

  /// Reads the status of a file; fails if it does not exist.
  init?(_ path: FilePath) {
    guard let status = try? FileStatus(of: path, followsLinks: false) else { return nil }
    (bytes, time) = (status.bytes, status.modificationTime)
  }

  /// Returns whether the file has changed within a time, according to its modification time, in whole seconds.
  func isRecent(within quiet: Duration) -> Bool {
    abs(FileTime.now.seconds - time.seconds) <= Int((quiet / .seconds(1)).rounded(.up))
  }

  /// Returns whether the file has been the same for a time.
  func isQuiet(for quiet: Duration) -> Bool { start.duration(to: .now) >= quiet }

  /// Whether the file has the same size and modification time as at another time.
  func isUnchanged(since earlier: GrowingFile) -> Bool { bytes == earlier.bytes && time == earlier.time }
}
