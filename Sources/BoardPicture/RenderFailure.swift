internal import BoardStore
internal import BoardText
internal import CoverService
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// An error that prevents the picture: a message and the exit status.
struct RenderFailure: Error {
  let message: String
  private let status: ExitStatus

  private init(_ message: String, status: ExitStatus) {
    (self.message, self.status) = (message, status)
  }

  /// Returns the error for invalid arguments.
  static func usage(_ message: String) -> RenderFailure { RenderFailure(message, status: .usage) }

  /// Returns the error for a picture that cannot be written.
  static func output(_ failure: CoverFailure) -> RenderFailure {
    let advice = failure.advice.map { "; \($0)" } ?? ""
    return RenderFailure("cannot render the board: \(failure.message)\(advice)", status: .cannotContinue)
  }

  init(_ error: BoardError, of file: BoardFile) {
    self.init(error.message(file.path.displayText), status: .boardUnreadable)
  }

  init(_ error: ServiceError) {
    self.init(error.description, status: .cannotContinue)
  }

  /// Prints the message and exits with the status.
  func end() -> Never {
    Message.complain(message)
    exit(status.rawValue)
  }
}

/// Messages on standard error.
enum Message {
  /// Prints a message; a write error is ignored because it could not be reported anywhere.
  static func complain(_ words: String) {
    _ = try? FileDescriptor.standardError.writeAll("clipcanvas: \(DisplayText.of(words.utf8))\n".utf8)
  }
}
