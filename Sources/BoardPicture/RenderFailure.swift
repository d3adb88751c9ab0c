internal import BoardStore
internal import BoardText
internal import CoverService
internal import Covers
internal import Glibc
internal import SystemPackage

/// Why there is no picture: the words for a person, and the exit status.
struct RenderFailure: Error {
  let message: String
  private let status: Int32

  private init(_ message: String, status: Int32) {
    (self.message, self.status) = (message, status)
  }

  /// Something that was asked for and makes no sense.
  static func usage(_ message: String) -> RenderFailure { RenderFailure(message, status: ExitNumber.wrongUsage) }

  /// The picture cannot be put where it was to go.
  static func output(_ failure: CoverFailure) -> RenderFailure {
    let advice = failure.advice.map { "; \($0)" } ?? ""
    return RenderFailure("cannot render the board: \(failure.message)\(advice)", status: ExitNumber.couldNotGoOn)
  }

  init(_ error: BoardError, of file: BoardFile) {
    self.init(error.words(file.path.displayText), status: ExitNumber.boardUnreadable)
  }

  init(_ error: ServiceError) {
    self.init(error.description, status: ExitNumber.couldNotGoOn)
  }

  /// Tells it and ends the program.
  func end() -> Never {
    Message.complain(message)
    exit(status)
  }
}

/// Messages on standard error.
enum Message {
  /// Nothing can be done when nobody can read it.
  static func complain(_ words: String) {
    _ = try? FileDescriptor.standardError.writeAll("clipcanvas: \(DisplayText.of(words.utf8))\n".utf8)
  }
}
