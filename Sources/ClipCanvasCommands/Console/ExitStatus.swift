internal import ArgumentParser
internal import BoardText
internal import Files

/// The numbers that a command ends with, the same everywhere.
enum ExitStatus {
  static let someClipsFailed = ExitCode(1)
  static let couldNotGoOn = ExitCode(ExitNumber.couldNotGoOn)
  /// By the board's rules.
  static let refused = ExitCode(3)
  /// The board has another revision than was asked for.
  static let conflict = ExitCode(4)
  static let lockTimeout = ExitCode(5)
  static let boardUnreadable = ExitCode(ExitNumber.boardUnreadable)

  /// Says that a place must not be written to; the result ends the program.
  ///
  /// - Parameters:
  ///   - refusal: Why.
  ///   - product: What the program would replace there, such as `a report made by clipcanvas`.
  ///   - option: The option that names the place.
  static func refusal(_ refusal: OutputRefusal, product: String, option: String) -> ExitCode {
    Console.complain(
      "clipcanvas: \(refusal.path.displayText) \(refusal.words(product: product)); "
        + refusal.advice(option: option, takesStandardOutput: true)
    )
    return couldNotGoOn
  }
}
