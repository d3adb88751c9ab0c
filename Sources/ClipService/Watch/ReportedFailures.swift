internal import Covers
internal import Synchronization
internal import SystemPackage

/// The failures that a watch has reported.
///
/// For some of them, such as those of empty files, no marker is left, so each search of all clips finds them again.
final class ReportedFailures: Sendable {
  private let failures = Mutex<[FilePath: CoverFailure]>([:])

  /// Records the failure of a clip, or that it has none any more.
  ///
  /// - Returns: Whether the same failure was recorded before.
  @discardableResult
  func record(_ failure: CoverFailure?, of clip: FilePath) -> Bool {
    failures.withLock { failures in
      let earlier = failures[clip]
      failures[clip] = failure
      return failure != nil && failure == earlier
    }
  }
}
