internal import Covers
internal import Files
internal import Synchronization
package import SystemPackage

/// A progress event of a watch.
package enum WatchEvent: Sendable {
  /// An event of the work on clips.
  case batch(BatchEvent)
  /// Work on all clips begins, at the start and whenever changes may have been missed or the page of a gallery is due.
  case searchBegan
  /// Work on all clips has ended.
  case searchEnded
  /// All work that was due has been done.
  case idle
  case notice(WatchNotice)
}

extension CoverService {
  /// Makes the covers of a batch, and then those of clips that arrive in its folders or change there.
  ///
  /// Clips are processed when they have been closed or moved into a folder, or have not changed for two seconds.
  /// If changes are reported faster than they can be read, or not at all, all folders are searched again.
  /// Decoders run only while there is work. If the batch removes pictures, those of clips that are removed or
  /// renamed are removed with them. Clips that failed for a reason that may pass, such as a full disk, are tried
  /// again after a pause that grows.
  ///
  /// The watch ends when the task is cancelled.
  ///
  /// - Parameters:
  ///   - batch: The batch. Its paths are folders, and it has no list of clips and no shard. Below another folder than
  ///     those of the clips, no folder may be in another one.
  ///   - outputs: Files that the caller writes meanwhile, which are not clips.
  ///   - searchesAfterChanges: Whether work on all clips follows each change, so that a gallery of all
  ///     clips can be made.
  ///   - report: Called from several tasks, possibly concurrently.
  /// - Returns: The numbers of all work that was done.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  package func watch(
    _ batch: Batch,
    writing outputs: [FilePath] = [],
    searchesAfterChanges: Bool = false,
    report: @escaping @Sendable (WatchEvent) -> Void
  ) async throws(ServiceError) -> BatchSummary {
    try await watch(
      batch,
      writing: outputs,
      searchesAfterChanges: searchesAfterChanges,
      times: WatchTimes(),
      report: report
    )
  }

  /// Watches folders with intervals other than the usual ones.
  package func watch(
    _ batch: Batch,
    writing outputs: [FilePath],
    searchesAfterChanges: Bool,
    times: WatchTimes,
    report: @escaping @Sendable (WatchEvent) -> Void
  ) async throws(ServiceError) -> BatchSummary {
    let folders = WatchedFolders(roots: batch.clips.paths, options: batch.clips.walk, outputs: outputs)
    let watch = try ClipWatch(folders, times: times)
    return try await WatchLoop(batch, watch, searchesAfterChanges: searchesAfterChanges, report: report).run(with: self)
  }
}

/// The runs of a watch, one after another.
private final class WatchLoop: Sendable {
  private let batch: Batch
  private let watch: ClipWatch
  private let searchesAfterChanges: Bool
  private let report: @Sendable (WatchEvent) -> Void
  /// Whether something has changed since all clips were last searched.
  private let hasChanged = Atomic(false)
  private let failures = ReportedFailures()
  private let waiting = QueueConfined(label: "clipcanvas.waiting", ())

  /// How long clips that keep arriving may delay other work.
  private static let maximumBurst = Duration.seconds(60)
  /// The pause between searches for a gallery, as a multiple of the time that the last search took.
  private static let searchRest = 20

  init(
    _ batch: Batch,
    _ watch: ClipWatch,
    searchesAfterChanges: Bool,
    report: @escaping @Sendable (WatchEvent) -> Void
  ) {
    (self.batch, self.watch, self.report) = (batch, watch, report)
    self.searchesAfterChanges = searchesAfterChanges
  }

  func run(with service: CoverService) async throws(ServiceError) -> BatchSummary {
    let result = await handlingCancellation {
      () async throws(ServiceError) in
      try await work(service)
    } onCancel: {
      watch.stop()
    }
    watch.stop()
    return try result.get()
  }

  private func work(_ service: CoverService) async throws(ServiceError) -> BatchSummary {
    var summary = BatchSummary()
    var nextSearch = ContinuousClock.now
    var isFirstSearch = true
    while !watch.isStopped {
      reportNotices()
      let isSearchDue = hasChanged.load(ordering: .relaxed) && searchesAfterChanges && ContinuousClock.now >= nextSearch
      if isSearchDue || watch.state.withLock({ $0.needsPass }) {
        let start = ContinuousClock.now
        let found = try await search(service)
        if isFirstSearch { summary.add(found) } else { summary.addChanges(of: found) }
        isFirstSearch = false
        let duration = start.duration(to: .now)
        nextSearch = .now + duration * Self.searchRest
        watch.state.withLock { $0.pollingInterval = max(watch.times.search, duration * Self.searchRest) }
      } else if watch.state.withLock({ $0.hasClips() || !$0.changedFolders.isEmpty }) {
        summary.addChanges(of: try await processArrivals(service))
      } else {
        report(.idle)
        let isSearchPending = hasChanged.load(ordering: .relaxed) && searchesAfterChanges
        let times = [isSearchPending ? nextSearch : nil, watch.state.withLock { $0.failed.nextTime }]
        await wait(times.compactMap(\.self).min().map { ContinuousClock.now.duration(to: $0) })
      }
    }
    return summary
  }

  private func wait(_ timeout: Duration?) async {
    await waiting.use { [watch] _ in watch.wait(timeout) }
  }

  private func reportNotices() {
    let notices = watch.state.withLock { state in
      defer { state.notices = [] }
      return state.notices
    }
    for notice in notices { report(.notice(notice)) }
  }

  /// Searches all folders that exist.
  private func search(_ service: CoverService) async throws(ServiceError) -> BatchSummary {
    let missing = watch.state.withLock { state in
      state.needsPass = false
      state.changedFolders = ChangedFolders()
      return state.missingRoots
    }
    hasChanged.store(false, ordering: .relaxed)
    var batch = batch
    batch.clips.paths.removeAll(where: missing.contains)
    report(.searchBegan)
    let clips = try ClipQueue(isPassing: false) { [batch, watch] isStopped throws(ServiceError) in
      SearchedClips(source: try ClipSource(batch.clips, isStopped: isStopped), watch: watch)
    }
    let summary = try await service.run(batch, clips: clips, isReported: failures.record) { [watch, report] event in
      if case .finished(let result) = event {
        watch.state.withLock { $0.failed.record(result.clip, result.passingCauses) }
      }
      report(.batch(event))
    }
    if !watch.isStopped { report(.searchEnded) }
    return summary
  }

  /// Processes clips as they arrive.
  private func processArrivals(_ service: CoverService) async throws(ServiceError) -> BatchSummary {
    let isEndless = !batch.removesPictures && !searchesAfterChanges
    let end = ContinuousClock.now + (isEndless ? .seconds(3600) : Self.maximumBurst)
    let clips = try ClipQueue(isPassing: true) { [watch] _ throws(ServiceError) in ArrivingClips(watch: watch, end: end)
    }
    let changed: @Sendable () -> ChangedFolders = { [self] in
      let folders = watch.state.withLock { state in
        defer { state.changedFolders = ChangedFolders() }
        return state.changedFolders
      }
      if !folders.isEmpty { hasChanged.store(true, ordering: .relaxed) }
      return folders
    }
    // A clip that has arrived or changed is reported even if it fails as before.
    let isReported: @Sendable (CoverFailure?, FilePath) -> Bool = { [failures] failure, clip in
      failures.record(failure, of: clip)
      return false
    }
    let summary = try await service.run(batch, clips: clips, changed: changed, isReported: isReported) { [self] event in
      switch event {
      case .finished(let result):
        // Files that turned out not to be clips, such as the pictures themselves, change nothing.
        hasChanged.store(true, ordering: .relaxed)
        watch.finish(result.clip, because: result.passingCauses)
      case .postponed(let path, _), .wasNoClip(let path): watch.finish(path)
      default: break
      }
      report(.batch(event))
    }
    // Without tidying, nothing is done about removed clips but to show them no longer.
    if !batch.removesPictures { _ = changed() }
    return summary
  }
}

extension CoverService {
  fileprivate func run(
    _ batch: Batch,
    clips: ClipQueue,
    changed: (@Sendable () -> ChangedFolders)? = nil,
    isReported: @escaping @Sendable (CoverFailure?, FilePath) -> Bool,
    report: @escaping @Sendable (BatchEvent) -> Void
  ) async throws(ServiceError) -> BatchSummary {
    let run = try BatchRun(
      batch,
      clips: clips,
      changed: changed,
      isReported: isReported,
      makeDecoder: makeDecoder,
      report: report
    )
    return try await run.all()
  }
}
