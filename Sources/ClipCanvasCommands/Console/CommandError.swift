internal import Covers
internal import Files

/// The end of a command that failed: its exit status, and the message that is printed once, at the top.
struct CommandError: Error {
  let status: ExitStatus
  /// The message without the program's name; `nil` when the results already say what failed.
  let message: String?

  init(_ status: ExitStatus, _ message: String? = nil) {
    (self.status, self.message) = (status, message)
  }

  /// Creates the error for an output path that must not be written.
  ///
  /// - Parameters:
  ///   - refusal: The reason.
  ///   - product: The kind of file that would be replaced, such as `a report made by clipcanvas`.
  ///   - option: The option that specifies the path.
  init(_ refusal: OutputRefusal, product: String, option: String) {
    self.init(
      .cannotContinue,
      "\(refusal.path.displayText) \(refusal.message(product: product)); "
        + refusal.advice(option: option, takesStandardOutput: true)
    )
  }
}
