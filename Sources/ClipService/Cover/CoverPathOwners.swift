internal import Files
internal import SystemPackage

/// The owners of the cover paths of one run: whose a path is when several clips lead to it.
///
/// Named files and folders whose clips would meet are refused before the run; see ``ClipSelection/clash``.
actor CoverPathOwners {
  /// The rule that decides between clips with the same cover path.
  enum Rule: Sendable {
    /// No path occurs twice.
    case distinct
    /// A clip that was named twice has the same path both times; the second time, its cover is fresh.
    case sameClip
    /// Different clips may have the same path. The cover there names its clip; if it was made since the run
    /// started, it is not replaced by that of another clip, even by force. Only paths whose cover does not name its
    /// clip are remembered.
    case namedInCover(since: FileTime)
    /// Different clips may have the same path, which belongs to the first of them.
    case firstClip
  }

  nonisolated let rule: Rule
  /// The tasks waiting for each path in use.
  private var waiting: [FilePath: [CheckedContinuation<Void, Never>]] = [:]
  /// The clips that paths belong to.
  private var owners: [FilePath: FilePath] = [:]

  init(_ rule: Rule) { self.rule = rule }

  /// Takes a path for a clip, waiting until no other task uses it; returns the clip that it belongs to if
  /// that is another one.
  func take(_ path: FilePath, for clip: FilePath) async -> FilePath? {
    switch rule {
    case .distinct: return nil
    case .sameClip, .namedInCover: await wait(for: path)
    case .firstClip: give(path, to: clip)
    }
    return owners[path].flatMap { $0 == clip ? nil : $0 }
  }

  /// Makes a path belong to a clip for the rest of the run, unless it belongs to one already.
  func give(_ path: FilePath, to clip: FilePath) {
    switch rule {
    case .distinct, .sameClip: break
    case .namedInCover, .firstClip: owners[path] = owners[path] ?? clip
    }
  }

  private func wait(for path: FilePath) async {
    guard waiting[path] != nil else {
      waiting[path] = []
      return
    }
    await withCheckedContinuation { waiting[path]?.append($0) }
  }

  /// Releases a path, or hands it over to the task that has waited longest.
  func leave(_ path: FilePath) {
    if waiting[path]?.isEmpty == false {
      waiting[path]?.removeFirst().resume()
    } else {
      waiting[path] = nil
    }
  }
}
