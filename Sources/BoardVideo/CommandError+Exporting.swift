internal import BoardText
internal import Covers

extension CommandError {
  /// Returns the error for a video that cannot be made, with a reason such as `the disk is full`.
  static func cannotExport(_ reason: String) -> CommandError {
    CommandError(.cannotContinue, "cannot export the board: \(reason)")
  }

  /// Returns the error for a video that cannot be composed or written.
  static func cannotExport(_ failure: CoverFailure) -> CommandError {
    cannotExport(failure.message + (failure.advice.map { "; \($0)" } ?? ""))
  }
}
