package import CanvasModel
package import ClipService
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

  /// Creates the description of a file that a decoder accepts as a video, with its duration if that is known.
  ///
  /// - Parameters:
  ///   - path: The path of the clip.
  ///   - service: The service whose decoder examines it.
  ///   - folder: The board's folder.
  ///   - advice: How any other file can be added.
  /// - Throws: An error if the path is not a regular file, or that is not a video.
  package init(
    checking path: FilePath,
    with service: @autoclosure () throws(ServiceError) -> CoverService,
    for folder: FilePath,
    otherwise advice: String
  ) async throws(CommandError) {
    var problem: CoverFailure?
    var seconds: Double?
    try await CommandError.orResult { () async throws(ServiceError) in
      try await service().probe([path]) { _, result in
        switch result {
        case .success(let clip): seconds = clip.facts.durationSeconds
        case .failure(let failure): problem = failure.failure
        }
      }
    }
    if let problem { throw Self.unusable(path, problem.message, otherwise: advice) }
    try self.init(reading: path, seconds: seconds, for: folder)
  }

  private static func unusable(_ path: FilePath, _ reason: String, otherwise advice: String? = nil) -> CommandError {
    let parts = ["cannot add the clip \(path.displayText): \(reason)", "the board was not changed", advice]
    return CommandError(.cannotContinue, parts.compactMap(\.self).joined(separator: "; "))
  }
}
