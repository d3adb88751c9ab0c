internal import BoardSupport
internal import ClipService
internal import Files
internal import SystemPackage

/// The output of `--watch`.
extension BatchOutput {
  mutating func report(_ event: WatchEvent) {
    switch event {
    case .batch(let event): report(event)
    case .searchBegan: beginSearch()
    case .searchEnded: endSearch()
    case .idle: idle()
    case .notice(let notice): complain("clipcanvas: \(notice.message)", alwaysNow: true)
    }
  }

  /// Starts a new page of the gallery, except for the first search, whose page was started with the batch.
  private mutating func beginSearch() {
    guard reportsChanges else { return }
    do {
      gallery = try openGallery()
    } catch {
      complain("clipcanvas: \((error as? CommandError)?.message ?? "\(error)")", alwaysNow: true)
    }
  }

  private mutating func endSearch() {
    do {
      try gallery.take()?.finish(isInterrupted: false)
    } catch {
      complain("clipcanvas: \((error as? CommandError)?.message ?? "\(error)")", alwaysNow: true)
    }
    guard !reportsChanges else { return }
    reportsChanges = true
    progress?.total = nil
    guard !options.quiet else { return }
    let known = knownFailures > 0 ? "\(BatchSummary.knownFailures(knownFailures)); " : ""
    complain("clipcanvas: \(known)waiting for clips; press Ctrl-C to stop", alwaysNow: true)
  }

  private mutating func idle() {
    progress?.clear()
    progress?.isIdle = true
  }
}

extension WatchNotice {
  /// The notice for people.
  fileprivate var message: String {
    switch self {
    case .folderGone(let folder): "\(folder.displayText) is gone; waiting for it to return"
    case .folderIsBack(let folder): "\(folder.displayText) is back"
    case .polling(let reason, let seconds):
      "not all changes are reported by the system: \(reason.message); the folders are searched every \(seconds) seconds, too"
        + (reason.setting.map { ", until this is run again after 'sudo sysctl \($0)'" } ?? "")
    }
  }
}

extension WatchNotice.Reason {
  fileprivate var message: String {
    switch self {
    case .tooManyFolders: "the limit of watched folders is reached"
    case .tooManyPrograms: "the limit of programs that watch folders is reached"
    case .network(let folder): "\(folder.displayText) is on a network file system"
    case .failed(let error): error.message
    }
  }

  /// The setting of the system that raises the limit.
  fileprivate var setting: String? {
    switch self {
    case .tooManyFolders: "fs.inotify.max_user_watches=524288"
    case .tooManyPrograms: "fs.inotify.max_user_instances=512"
    case .network, .failed: nil
    }
  }
}
