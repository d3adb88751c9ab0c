internal import BoardCovers
internal import BoardText
internal import CanvasModel
internal import CoverService
internal import Covers
internal import Files
internal import Glibc
internal import HTTPTypes
internal import SystemPackage
internal import VideoService

/// The folder of the clips that arrive through the server, beside the board; for `board.json`, it is `board.clips`.
struct ClipShelf: Sendable {
  private let boardFolder: FilePath
  private let folder: FilePath
  private let video: VideoService
  private let covers: CoverService

  /// The number of names that are tried for a clip.
  private static let maximumNames = 1000

  init(ofBoard board: FilePath, video: VideoService, covers: CoverService) {
    let parent = board.removingLastComponent()
    boardFolder = parent.isEmpty ? "." : parent
    folder = parent.pushing(FilePath(board.stem ?? "board").derivingName(suffix: ".clips"))
    (self.video, self.covers) = (video, covers)
  }

  // MARK: - Takes

  /// Joins the segments of a take into a clip with a duration and an index.
  ///
  /// The clip has its name only when it is complete and was checked.
  func join(_ segments: [FilePath], of take: Take) async throws(RequestFailure) -> FilePath {
    guard let first = segments.first else {
      throw RequestFailure(.unprocessableContent, "nothing of the recording arrived")
    }
    try makeFolder()
    let name = "\(BoardPath.namePart(of: take.canvas))-\(BoardPath.namePart(of: take.id))"
    var containers = [Self.container(of: first), .matroska]
    if containers[0] == .matroska { containers.removeLast() }
    for (index, container) in containers.enumerated() {
      do throws(CoverFailure) {
        return try await join(segments, named: name, in: container)
      } catch {
        // A recorder may call what it writes WebM although WebM cannot hold it.
        let isUnfit = error.cause == .unfitContainer || error.cause == .incompatible
        guard isUnfit, index + 1 < containers.count else { throw RequestFailure(error) }
      }
    }
    preconditionFailure("the last container was tried")
  }

  private func join(
    _ segments: [FilePath],
    named name: String,
    in container: VideoContainer
  ) async throws(CoverFailure) -> FilePath {
    for number in 1...Self.maximumNames {
      let place = self.place(name, number, container.fileExtension)
      guard case .nothing = place.occupant() else { continue }
      let order = RemuxOrder(
        clips: segments,
        place: place,
        request: RemuxRequest(container: container, isIndexFirst: true),
        isForced: false
      )
      let result: Result<RemuxFacts, CoverFailure>
      do throws(ServiceError) {
        result = try await video.remux(order).result
      } catch {
        throw CoverFailure(stage: .service, cause: .decoderDied, message: "\(error)")
      }
      switch result {
      case .success: return place.path
      case .failure(let failure) where failure.cause == .outputExists: continue
      case .failure(let failure): throw failure
      }
    }
    throw CoverFailure(stage: .output, cause: .outputExists, message: "too many clips are named \(name)")
  }

  /// Returns the container that a recording has by its first bytes.
  private static func container(of path: FilePath) -> VideoContainer {
    let file = try? FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec])
    defer { try? file?.close() }
    var head: [UInt8] = Array(repeating: 0, count: 8)
    _ = try? head.withUnsafeMutableBytes { try file?.read(into: $0) }
    if head[4...].elementsEqual("ftyp".utf8) { return .mp4 }
    return head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) ? .webm : .matroska
  }

  // MARK: - Files

  /// Gives a file that was uploaded its place, if a decoder accepts it as a video.
  ///
  /// - Parameters:
  ///   - path: The uploaded file, which is moved.
  ///   - name: The name that the browser gave.
  func add(_ path: FilePath, named name: String) async throws(RequestFailure) -> FilePath {
    if case .failure(let failure) = await kind(of: path) { throw RequestFailure(failure) }
    try makeFolder()
    let clean = FilePath(Self.clean(name))
    let (stem, ending) = (clean.stem ?? "clip", clean.extension ?? "")
    for number in 1...Self.maximumNames {
      let place = self.place(stem, number, ending)
      let result = path.withPlatformString { from in place.path.withPlatformString { link(from, $0) } }
      if result == 0 {
        _ = path.withPlatformString { unlink($0) }
        return place.path
      }
      let error = Errno(rawValue: errno)
      guard error == .fileExists else { throw RequestFailure(writing: error) }
    }
    throw RequestFailure(.conflict, "too many clips are named \(clean.string); rename the file")
  }

  /// Returns the MIME type of a clip, according to a decoder.
  func kind(of path: FilePath) async -> Result<String, CoverFailure> {
    var kind = Result<String, CoverFailure>.failure(
      CoverFailure(stage: .service, cause: .decoderDied, message: "the decoder could not be started")
    )
    do throws(ServiceError) {
      try await covers.probe([path]) { kind = $1.map(\.facts.mimeType) }
    } catch {
      return .failure(CoverFailure(stage: .service, cause: .decoderDied, message: "\(error)"))
    }
    return kind
  }

  /// Returns the description of a clip's file that a board stores.
  func clipFile(_ path: FilePath) throws(RequestFailure) -> ClipFile {
    do throws(CommandError) {
      return try ClipFile(reading: path, for: boardFolder)
    } catch {
      throw RequestFailure(.internalServerError, error.message ?? "the clip vanished")
    }
  }

  /// Removes a clip that the board did not take.
  func remove(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }

  private func makeFolder() throws(RequestFailure) {
    do throws(Errno) {
      try Folder.make(at: folder)
      guard try FileStatus(of: folder, followsLinks: false).isFolder else { throw .notDirectory }
    } catch {
      guard error == .notDirectory || error == .fileExists else { throw RequestFailure(writing: error) }
      let name = DisplayName.of(folder.lastComponent?.string ?? "")
      throw RequestFailure(.internalServerError, "\(name) is not a folder of its own; rename it and try again")
    }
  }

  private func place(_ stem: String, _ number: Int, _ ending: String) -> OutputPlace {
    let name = stem + (number == 1 ? "" : "-\(number)") + (ending.isEmpty ? "" : ".\(ending)")
    return OutputPlace(folder.appending(name), derivedComponents: 2)
  }

  /// Returns a name without what has a meaning in paths or does not belong into names.
  static func clean(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let scalars = last.unicodeScalars.map { scalar -> Character in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " -_.()".unicodeScalars.contains(scalar)
      return isPlain ? Character(scalar) : "_"
    }
    var clean = String(scalars)
    while let first = clean.first, ". -".contains(first) { clean.removeFirst() }
    // Room for a number, within the 255 bytes that file systems allow.
    while clean.utf8.count > 200 { clean.remove(at: clean.startIndex) }
    return clean.isEmpty ? "clip" : clean
  }
}

extension VideoContainer {
  fileprivate var fileExtension: String {
    switch self {
    case .mp4, .mov, .webm: rawValue
    case .matroska: "mkv"
    }
  }
}

extension RequestFailure {
  /// The answer when a clip cannot be used.
  init(_ failure: CoverFailure) {
    let advice = failure.advice.map { "; \($0)" } ?? ""
    switch failure.cause {
    case .outputFull: self.init(writing: .noSpace)
    case .outputDenied, .outputFailed, .outputExists, .decoderDied, .outOfMemory:
      self.init(.internalServerError, failure.message + advice)
    default: self.init(.unprocessableContent, "this cannot be used as a clip: \(failure.message)")
    }
  }
}
