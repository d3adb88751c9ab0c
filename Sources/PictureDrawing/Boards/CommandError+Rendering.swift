internal import BoardSupport
internal import Covers

extension CommandError {
  /// Returns the error for a picture that cannot be made or written.
  static func cannotRender(_ failure: CoverFailure) -> CommandError {
    let advice = failure.advice.map { "; \($0)" } ?? ""
    return CommandError(.cannotContinue, "cannot render the board: \(failure.message)\(advice)")
  }

  /// Returns the error for text that cannot be drawn, in particular because no font is installed.
  static func cannotRender(_ error: TextError) -> CommandError {
    CommandError(.cannotContinue, "cannot render the board: \(error.message)")
  }
}
