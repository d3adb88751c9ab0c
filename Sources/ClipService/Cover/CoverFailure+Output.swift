package import Covers
package import Files
internal import SystemPackage

extension CoverFailure {
  /// Creates a failure for a picture that could not be put in place.
  package init(_ error: FileReplacementError) {
    let (cause, advice): (Cause, String?) =
      switch error.errno {
      case .noSpace, .diskQuotaExceeded: (.outputFull, "make room there, or specify another place with -o")
      case .permissionDenied, .notPermitted, .readOnlyFileSystem:
        (.outputDenied, "specify a writable folder with -o")
      case .noSuchFileOrDirectory, .notDirectory:
        (.outputFailed, "create the folder first, or name another place with -o")
      case .fileNameTooLong: (.outputFailed, "name a shorter one with -o")
      default: (.outputFailed, nil)
      }
    self.init(
      stage: .output,
      cause: cause,
      code: Int(error.errno.rawValue),
      message: "cannot \(error.operation) \(error.path.displayText): \(error.errno.message)",
      advice: advice
    )
  }

  /// Creates a failure for a place that must not be written to.
  ///
  /// - Parameters:
  ///   - product: The kind of file that would be replaced, such as `a cover made by clipcanvas`.
  ///   - value: What `-o` takes.
  package init(
    _ refusal: OutputRefusal,
    product: String,
    optionTakes value: OutputRefusal.OptionValue
  ) {
    let cause: Cause
    switch refusal.reason {
    case .foreign: cause = .outputExists
    case .link, .special, .input, .data: cause = .outputDenied
    case .unreadable(let errno):
      cause = CoverFailure(FileReplacementError(operation: "read", path: refusal.path, errno: errno)).cause
    }
    self.init(
      stage: .output,
      cause: cause,
      message: "\(refusal.path.displayText) \(refusal.message(product: product))",
      advice: refusal.advice(option: "-o", taking: value)
    )
  }
}
