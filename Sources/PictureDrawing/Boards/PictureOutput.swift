internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import Glibc
internal import Pictures
internal import SystemPackage

/// The destination of the picture.
struct PictureOutput {
  private let path: FilePath
  private let isForced: Bool

  /// - Parameters:
  ///   - path: The path of a file; `-` for standard output.
  ///   - isForced: Whether to replace a file that is not a picture of a board.
  init(_ path: FilePath, isForced: Bool) {
    (self.path, self.isForced) = (path, isForced)
  }

  var isStandardOutput: Bool { path == "-" }

  // MARK: - The place

  /// Checks that writing the picture does not overwrite anything else.
  ///
  /// - Parameter parts: The files of the board, with a description of each.
  func check(against parts: [FileIdentity: String]) throws(CommandError) {
    guard !isStandardOutput else { return }
    do throws(OutputRefusal) {
      try OutputPlace(named: path).check(isForced: isForced, sparing: parts) { CoverHead(of: $0)?.isBoard == true }
    } catch {
      let product = "a picture made by 'clipcanvas board render'"
      throw .cannotRender(CoverFailure(error, product: product, optionTakes: .fileOrStandardOutput))
    }
  }

  // MARK: - Writing

  /// Writes the picture completely, or leaves an existing file unchanged.
  ///
  /// - Parameters:
  ///   - picture: The picture of the board.
  ///   - revision: The revision of the board.
  func write(_ picture: borrowing Picture, revision: Int) throws(CommandError) {
    let texts = [
      (keyword: CoverText.Keyword.software.rawValue, text: "ClipCanvas \(ClipCanvasVersion.current)"),
      (keyword: CoverText.Keyword.boardRevision.rawValue, text: "\(revision)"),
    ]
    guard !isStandardOutput else { return try write(picture, texts, to: .standardOutput) }
    let file: ReplacementFile
    do throws(FileReplacementError) {
      file = try ReplacementFile(for: path)
    } catch {
      throw .cannotRender(CoverFailure(error))
    }
    try write(picture, texts, to: file.descriptor)
    do throws(FileReplacementError) {
      try file.commit()
    } catch {
      throw .cannotRender(CoverFailure(error))
    }
  }

  private func write(
    _ picture: borrowing Picture,
    _ texts: [(keyword: String, text: String)],
    to file: FileDescriptor
  ) throws(CommandError) {
    do throws(PNGError) {
      try picture.writePNG(to: file.rawValue, texts: texts)
    } catch {
      throw .cannotRender(failure(of: error))
    }
  }

  /// Returns the failure for an error of the system or of the PNG library.
  private func failure(of error: PNGError) -> CoverFailure {
    let errno = Errno(rawValue: error.systemError)
    guard error.systemError != 0 else {
      return CoverFailure(stage: .encode, cause: .outputFailed, message: "cannot make the picture: \(error.message)")
    }
    guard isStandardOutput else {
      return CoverFailure(FileReplacementError(operation: "write", path: path, errno: errno))
    }
    return CoverFailure(
      stage: .output,
      cause: .outputFailed,
      message: "cannot write to standard output: \(errno.message)"
    )
  }
}
