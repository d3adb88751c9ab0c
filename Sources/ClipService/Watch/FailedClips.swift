internal import Covers
internal import Files
internal import SystemPackage

/// The clips of a watch that failed for reasons that may pass without a change of the clip, and when
/// they are tried again.
struct FailedClips {
  private struct Retry {
    let pause: Duration
    /// When the clip is tried again; `nil` while that is in progress.
    var time: ContinuousClock.Instant?
    /// Whether the place of a picture belongs to another clip.
    let lacksPlace: Bool
  }

  private var retries: [FilePath: Retry] = [:]

  private let times: WatchTimes

  /// - Parameter times: The pauses before the next attempts.
  init(_ times: WatchTimes = WatchTimes()) { self.times = times }

  /// When the next clip is due; `nil` without such a clip.
  var nextTime: ContinuousClock.Instant? { retries.values.lazy.compactMap(\.time).min() }

  /// Records the end of work on a clip; each failure in a row doubles the pause before the next attempt.
  ///
  /// - Parameters:
  ///   - causes: The causes that may pass.
  ///   - now: The time.
  mutating func record(_ clip: FilePath, _ causes: Set<CoverFailure.Cause>, at now: ContinuousClock.Instant = .now) {
    guard !causes.isEmpty else { return remove(clip) }
    let pause = retries[clip].map { min($0.pause * 2, times.longestRetry) } ?? times.firstRetry
    retries[clip] = Retry(pause: pause, time: now + pause, lacksPlace: causes.contains(.outputDuplicate))
  }

  /// Forgets a clip.
  mutating func remove(_ clip: FilePath) { retries[clip] = nil }

  /// Returns the clips that are due, in the byte order of their paths, and does so once.
  mutating func takeDue(at now: ContinuousClock.Instant = .now) -> [FilePath] {
    let due = retries.filter { $0.value.time.map { $0 <= now } ?? false }.keys
    for clip in due { retries[clip]?.time = nil }
    return Self.inOrder(due)
  }

  /// Forgets and returns the clips in a folder whose places belong to other clips; called when one of those is gone.
  mutating func takeWithoutPlace(in folder: FilePath) -> [FilePath] {
    let clips = retries.filter { $0.value.lacksPlace && $0.key.removingLastComponent() == folder }.keys
    for clip in clips { remove(clip) }
    return Self.inOrder(clips)
  }

  private static func inOrder(_ clips: some Sequence<FilePath>) -> [FilePath] {
    clips.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}
