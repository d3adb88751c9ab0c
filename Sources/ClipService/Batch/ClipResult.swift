package import Covers
package import SystemPackage

/// What exists of a clip after a batch has processed it.
package struct ClipResult: Sendable {
  /// The path of the clip.
  package let clip: FilePath
  /// The outcome for the cover, and the path of the cover; `nil` in a batch that makes no covers.
  package var cover: (outcome: PictureOutcome, path: FilePath)?
  /// The outcome for the storyboard, and the path of its folder; `nil` in a batch that makes no storyboards.
  package var storyboard: (outcome: PictureOutcome, path: FilePath)?
  /// The path of the animation; `nil` if it does not exist.
  package var animation: FilePath?
  /// Whether something that was wanted of the clip could not be made.
  package private(set) var isProblem = false
  /// The causes of failures that may pass although the clip stays the same.
  private(set) var passingCauses: Set<CoverFailure.Cause> = []

  /// Creates the result for a clip without any pictures yet.
  package init(clip: FilePath) { self.clip = clip }

  /// Records why something that was wanted of the clip could not be made.
  mutating func add(_ failure: CoverFailure?) {
    guard let failure else { return }
    isProblem = true
    if failure.mayPass { passingCauses.insert(failure.cause) }
  }
}
