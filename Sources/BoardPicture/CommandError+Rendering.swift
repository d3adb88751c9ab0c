internal import BoardText
internal import Covers

extension CommandError {
  /// Returns the error for a picture that cannot be made or written.
  static func cannotRender(_ failure: CoverFailure) -> CommandError {
    let advice = failure.advice.map { "; \($0)" } ?? ""
    return CommandError(.cannotContinue, "cannot render the board: \(failure.message)\(advice)")
  }
}
