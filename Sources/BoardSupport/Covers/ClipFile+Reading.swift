package import CanvasModel
internal import Covers
internal import Files
package import SystemPackage

extension ClipFile {
  /// Creates the description of a clip's file, as a board stores it.
  ///
  /// - Parameters:
  ///   - path: The path of the clip.
  ///   - seconds: The duration of the clip, in seconds; `nil` if it is not known.
  ///   - folder: The board's folder.
  /// - Throws: An error if the path is not a regular file.
  package init(reading path: FilePath, seconds: Double? = nil, for folder: FilePath) throws(CommandError) {
    let status: FileStatus
    do throws(Errno) {
      status = try FileStatus(of: path)
    } catch {
      throw Self.unusable(path, error.message)
    }
    guard status.kind == .regular else { throw Self.unusable(path, "not a regular file") }
    guard
      let file = ClipFile(
        path: BoardPath.text(for: path, in: folder),
        bytes: status.bytes,
        mtimeNanoseconds: status.modificationTime.totalNanoseconds,
        // A decoder is not trusted with a number that the board cannot store.
        durationSeconds: seconds.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
      )
    else { throw Self.unusable(path, "the name is empty") }
    self = file
  }

  private static func unusable(_ path: FilePath, _ reason: String) -> CommandError {
    CommandError(.cannotContinue, "cannot add the clip \(path.displayText): \(reason); the board was not changed")
  }
}
