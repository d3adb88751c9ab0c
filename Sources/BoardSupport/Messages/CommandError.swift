package import BoardStore
package import Covers
package import Files
internal import Glibc

/// The end of a command that failed: its exit status, and the message that is printed once, at the top.
package struct CommandError: Error, Hashable {
  /// The exit status.
  package let status: ExitStatus
  /// The message without the program's name; `nil` when the results already show what failed.
  package let message: String?

  /// Creates an error.
  package init(_ status: ExitStatus, _ message: String? = nil) {
    (self.status, self.message) = (status, message)
  }

  /// Creates the error for an output path that must not be written.
  ///
  /// - Parameters:
  ///   - refusal: The reason.
  ///   - product: The kind of file that would be replaced, such as `a report made by clipcanvas`.
  ///   - option: The option that specifies the path.
  package init(_ refusal: OutputRefusal, product: String, option: String) {
    self.init(
      .cannotContinue,
      "\(refusal.path.displayText) \(refusal.message(product: product)); "
        + refusal.advice(option: option, taking: .fileOrStandardOutput)
    )
  }

  /// Creates the error for a board that cannot be read or changed.
  package init(_ error: BoardError, of file: BoardFile) {
    self.init(error.status, error.message(of: file))
  }

  /// Prints the message and ends the process with the status.
  package func end() -> Never {
    if let message { StandardError.print("clipcanvas: \(message)") }
    exit(status.rawValue)
  }
}

extension BoardError {
  fileprivate var status: ExitStatus {
    switch self {
    case .unreadable: .boardUnreadable
    case .exists, .notBoard, .refused, .lockDenied, .foreignLock, .failed, .unsynced: .cannotContinue
    case .lockTimeout: .lockTimeout
    case .conflict: .conflict
    case .tooLarge: .refused
    }
  }
}
