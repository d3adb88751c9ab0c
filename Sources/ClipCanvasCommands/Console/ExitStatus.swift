internal import ArgumentParser
internal import BoardText
internal import Files

/// The exit statuses of all commands.
enum ExitStatus {
  static let someClipsFailed = ExitCode(1)
  static let couldNotGoOn = ExitCode(ExitNumber.couldNotGoOn)
  /// The board's rules do not allow the event.
  static let refused = ExitCode(3)
  /// The board's revision is not the one given with `--if-revision`.
  static let conflict = ExitCode(4)
  static let lockTimeout = ExitCode(5)
  static let boardUnreadable = ExitCode(ExitNumber.boardUnreadable)

  /// Prints why an output path must not be written, and returns the exit status.
  ///
  /// - Parameters:
  ///   - refusal: The reason.
  ///   - product: The kind of file that would be replaced, such as `a report made by clipcanvas`.
  ///   - option: The option that specifies the path.
  static func refusal(_ refusal: OutputRefusal, product: String, option: String) -> ExitCode {
    Console.complain(
      "clipcanvas: \(refusal.path.displayText) \(refusal.words(product: product)); "
        + refusal.advice(option: option, takesStandardOutput: true)
    )
    return couldNotGoOn
  }
}
