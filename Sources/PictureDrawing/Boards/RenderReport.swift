internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import SystemPackage

/// The report about the picture, as text or JSON.
struct RenderReport: Encodable {
  /// A canvas whose cover cannot be shown.
  struct Problem: Encodable {
    let canvas: String
    let cover: String
    /// A stable word for scripts.
    let reason: String
    let message: String

    init(_ canvas: CanvasID, cover: String, _ failure: CoverFailure) {
      (self.canvas, self.cover) = (DisplayName.of(canvas), DisplayName.of(cover))
      (reason, message) = (failure.cause.rawValue, failure.message)
    }

    var line: String { "the cover \(cover) of \(canvas) cannot be shown: \(message)" }
  }

  let board: String
  let picture: String
  let width: Int
  let height: Int
  let revision: Int
  let canvases: Int
  let problems: [Problem]

  init(board: String, picture: String, size: PictureSize, revision: Int, canvases: Int, problems: [Problem]) {
    (self.board, self.picture, self.revision) = (board, picture, revision)
    (width, height) = (size.width, size.height)
    (self.canvases, self.problems) = (canvases, problems)
  }

  func print(asJSON: Bool) throws(CommandError) {
    do {
      let line =
        asJSON
        ? DisplayText.json(try CanonicalJSON.line(self))
        : Array(DisplayText.of("\(board) → \(picture)  \(width)×\(height)".utf8).utf8)
      try FileDescriptor.standardOutput.writeAll(line + Array("\n".utf8))
    } catch {
      throw .cannotRender(
        CoverFailure(
          stage: .output,
          cause: .outputFailed,
          message: "cannot write to standard output: \((error as? Errno)?.message ?? "\(error)")"
        )
      )
    }
  }
}
