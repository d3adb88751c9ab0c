internal import BoardSupport
internal import Covers

extension CommandError {
  /// Returns the error for a video that cannot be made, with a reason such as `the disk is full`.
  static func cannotExport(_ reason: String) -> CommandError {
    CommandError(.cannotContinue, "cannot export the board: \(reason)")
  }

  /// Returns the error for a video that cannot be composed or written.
  ///
  /// - Parameter clip: The clip that the failure is about, for display.
  static func cannotExport(_ failure: CoverFailure, of clip: String? = nil) -> CommandError {
    cannotExport((clip.map { "\($0): " } ?? "") + failure.message + (failure.advice.map { "; \($0)" } ?? ""))
  }
}
