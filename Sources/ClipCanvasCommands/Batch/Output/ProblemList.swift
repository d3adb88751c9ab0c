internal import Files

/// The problems of a batch; the first ones are printed at its end.
struct ProblemList {
  private var problems: [String] = []
  private var leftOut = 0

  /// The maximum number of problems printed.
  private static let limit = 100

  mutating func add(_ problem: String) {
    if problems.count < Self.limit {
      problems.append(problem)
    } else {
      leftOut += 1
    }
  }

  /// Prints the problems to standard error.
  ///
  /// - Parameter option: The option for a file that lists all of them.
  func print(option: String) {
    for problem in problems { StandardError.print("  " + problem) }
    if leftOut > 0 { StandardError.print("  and \(leftOut) more; use \(option) to list them all") }
  }
}
