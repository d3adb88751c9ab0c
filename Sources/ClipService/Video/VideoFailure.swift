package import Covers

/// Why a video was not written, and which of its clips the failure is about.
package struct VideoFailure: Error {
  /// The reason.
  package let failure: CoverFailure
  /// The index of the clip; `nil` if the failure is not about a single one.
  package let clip: Int?

  init(_ failure: CoverFailure, clip: Int? = nil) {
    (self.failure, self.clip) = (failure, clip)
  }

  /// Creates the failure for the first of some clips that was written to since it was opened.
  ///
  /// The video would mix what was in the file before and after. The result is `nil` if no clip was written to.
  init?(changeOf clips: [OpenClip]) {
    for (index, clip) in clips.enumerated() {
      guard let change = clip.change else { continue }
      self.init(change, clip: index)
      return
    }
    return nil
  }
}
