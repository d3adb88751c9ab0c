internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import Glibc
internal import HTTPTypes
internal import SystemPackage

/// The folder of the clips that arrive through the server, beside the board; for `board.json`, it is `board.clips`.
struct ClipLibrary: Sendable {
  private let board: FilePath
  private let folder: FilePath
  private let video: VideoService
  private let covers: CoverService
  private let uploads: UploadFolder

  /// The number of names that are tried for a clip.
  private static let maximumNames = 1000

  init(ofBoard board: FilePath, uploads: UploadFolder, video: VideoService, covers: CoverService) {
    let parent = board.removingLastComponent()
    self.board = board
    folder = parent.pushing(board.nameOfBoardClips)
    (self.video, self.covers, self.uploads) = (video, covers, uploads)
  }

  /// A clip's file, and its duration if it is known.
  struct Item {
    let path: FilePath
    let seconds: Double?
  }

  // MARK: - Takes

  /// Starts the programs that turn a take into a clip, check it and make its cover.
  func prepare() {
    video.prepareRemux()
    covers.prepare(decoders: 2)
  }

  /// Joins the segments of a take into a clip with a duration and an index.
  ///
  /// They are copied as they are if they can be joined so, and encoded again otherwise. The clip has its name only when
  /// it is complete and was checked.
  func join(_ segments: [FilePath], of take: Take) async throws(RequestFailure) -> Item {
    guard !segments.isEmpty else {
      throw RequestFailure(.unprocessableContent, "no part of the recording has arrived")
    }
    try makeFolder()
    let name = "\(BoardPath.namePart(of: take.canvas))-take"
    do throws(CoverFailure) {
      return try await joinCopied(segments, named: name)
    } catch {
      let failure = RequestFailure(error)
      // A retry helps only if the cause is in the segments, such as a segment that makes the video invalid.
      guard segments.count > 1, failure.status == .unprocessableContent || error.cause == .invalidReply else {
        throw failure
      }
      let usable = try await segmentsWithPictures(among: segments)
      guard !usable.isEmpty else { throw failure }
      if usable.count < segments.count { return try await join(usable.map(\.path), of: take) }
      guard error.cause == .incompatible else { throw failure }
      return try await joinEncoded(usable, named: name)
    }
  }

  /// Returns the segments that have pictures: a browser that is ended at once leaves only the head of a file.
  ///
  /// - Throws: An error if that cannot be found out; a segment must not be left out because a program broke down.
  private func segmentsWithPictures(
    among paths: [FilePath]
  ) async throws(RequestFailure) -> [SegmentEncoder.Segment] {
    var usable: [SegmentEncoder.Segment] = []
    do throws(CoverFailure) {
      for path in paths {
        if let segment = try await encoder.segment(at: path) { usable.append(segment) }
      }
    } catch {
      throw RequestFailure(error)
    }
    return usable
  }

  private var encoder: SegmentEncoder { SegmentEncoder(video: video, covers: covers) }

  private func joinCopied(_ segments: [FilePath], named name: String) async throws(CoverFailure) -> Item {
    let container = segments.first.map(Self.container) ?? .matroska
    do throws(CoverFailure) {
      return try await join(segments, named: name, in: container)
    } catch {
      // A recorder may call what it writes WebM although WebM cannot hold it.
      guard error.cause == .unfitContainer, container != .matroska else { throw error }
      return try await join(segments, named: name, in: .matroska)
    }
  }

  /// Joins segments that differ in their sizes, codecs or sound.
  private func joinEncoded(
    _ segments: [SegmentEncoder.Segment],
    named name: String
  ) async throws(RequestFailure) -> Item {
    let places = segments.map { uploads.encodedPlace(of: $0.path) }
    defer { for place in places { place.remove { _ in true } } }
    do throws(CoverFailure) {
      let encoded = try await encoder.encode(segments, at: places)
      return try await join(encoded, named: name, in: .mp4)
    } catch {
      throw RequestFailure(error)
    }
  }

  private func join(
    _ segments: [FilePath],
    named name: String,
    in container: VideoContainer
  ) async throws(CoverFailure) -> Item {
    let next = nextNumber(of: name)
    for number in next..<next + Self.maximumNames {
      let place = self.place("\(name)-\(number)", 1, container.fileExtension)
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
        throw CoverFailure(error)
      }
      switch result {
      case .success(let facts): return Item(path: place.path, seconds: facts.durationSeconds)
      case .failure(let failure) where failure.cause == .outputExists: continue
      case .failure(let failure): throw failure
      }
    }
    throw CoverFailure(stage: .output, cause: .outputExists, message: "too many clips are named \(name)")
  }

  /// Returns the number after the highest that a clip has whose name begins like this, whatever its extension.
  private func nextNumber(of name: String) -> Int {
    let names = (try? OutputPlace(folder, derivedComponents: 1).folderNames()) ?? []
    let numbers = names.lazy.filter { $0.hasPrefix(name + "-") }.compactMap { file -> Int? in
      let digits = file.dropFirst(name.count + 1).prefix { $0 != "." }
      return digits.count < 10 ? Int(digits) : nil
    }
    return (numbers.max() ?? 0) + 1
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

  /// Moves a file that was uploaded among the clips.
  ///
  /// - Parameters:
  ///   - upload: The file, which a decoder accepts as a video.
  ///   - name: The name that the browser gave.
  ///   - format: The format of the file according to the decoder, which determines its extension.
  func add(_ upload: OutputPlace, named name: String, as format: ClipFormat) throws(RequestFailure) -> FilePath {
    try makeFolder()
    let clean = Self.clean(name)
    let (stem, ending) = format.parts(ofName: clean)
    for number in 1...Self.maximumNames {
      let place = self.place(stem, number, ending)
      do throws(FileReplacementError) {
        try upload.move(to: place)
        return place.path
      } catch {
        guard error.errno == .fileExists else { throw RequestFailure(writing: error.errno) }
      }
    }
    throw RequestFailure(.conflict, "too many clips are named \(clean); rename the file")
  }

  /// Locks the folder of the clips, so that `board clean` removes none that the board does not name yet.
  func lock() throws(RequestFailure) -> FolderLock? {
    try makeFolder()
    return try? FolderLock(sharing: folder)
  }

  /// Returns the facts of a clip, according to a decoder.
  func facts(of path: FilePath) async -> Result<ClipFacts, CoverFailure> {
    var facts = Result<ClipFacts, CoverFailure>.failure(
      CoverFailure(stage: .service, cause: .decoderDied, message: "the decoder could not be started")
    )
    do throws(ServiceError) {
      try await covers.probe([path]) { facts = $1.map(\.facts).mapError(\.failure) }
    } catch {
      return .failure(CoverFailure(error))
    }
    return facts
  }

  /// Returns the description of a clip's file that a board stores.
  func clipFile(_ item: Item) throws(RequestFailure) -> ClipFile {
    do throws(CommandError) {
      let folder = board.removingLastComponent()
      return try ClipFile(reading: item.path, seconds: item.seconds, for: folder.isEmpty ? "." : folder)
    } catch {
      throw RequestFailure(.internalServerError, error.message ?? "the clip vanished")
    }
  }

  /// Moves a clip that the board did not take back to where it was uploaded.
  func giveBack(_ path: FilePath, to upload: OutputPlace) {
    try? OutputPlace(path, derivedComponents: 2).move(to: upload)
  }

  /// Removes a clip that the board did not take.
  func remove(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }

  private func makeFolder() throws(RequestFailure) {
    do throws(FileReplacementError) {
      try place("clip", 1, "").makeFolders()
    } catch {
      guard [.notDirectory, .fileExists, .tooManySymbolicLinkLevels].contains(error.errno) else {
        throw RequestFailure(writing: error.errno)
      }
      let name = DisplayName.of(folder.lastComponent?.string ?? "")
      throw RequestFailure(.internalServerError, "\(name) is a link or a file, not a folder; rename it and try again")
    }
  }

  private func place(_ stem: String, _ number: Int, _ ending: String) -> OutputPlace {
    let name = stem + (number == 1 ? "" : "-\(number)") + (ending.isEmpty ? "" : ".\(ending)")
    return OutputPlace(folder.appending(name), derivedComponents: 2, belongingTo: board)
  }

  /// Returns a name without what has a meaning in paths, here or on another system, and without what cannot be seen.
  static func clean(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let scalars = last.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .spaceSeparator: " "
      case .control, .format, .privateUse, .unassigned, .surrogate, .lineSeparator, .paragraphSeparator:
        // Joiners shape letters and compose emoji.
        ["\u{200C}", "\u{200D}"].contains(scalar) ? scalar : "_"
      default: #"<>:"|?*"#.unicodeScalars.contains(scalar) ? "_" : scalar
      }
    }
    let visible = scalars.drop { ". -".unicodeScalars.contains($0) }
    var clean = String(String.UnicodeScalarView(visible))
    // Room for a number, within the 255 bytes that file systems allow.
    while clean.utf8.count > 200 { clean.remove(at: clean.startIndex) }
    // Windows removes them, and what is left may be another extension.
    while let last = clean.last, ". ".contains(last) { clean.removeLast() }
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
    // A page has no options.
    let advice = failure.advice.flatMap { $0.contains("--") ? nil : "; \($0)" } ?? ""
    switch failure.cause {
    case .outputFull: self.init(writing: .noSpace)
    // What was sent may be without fault, and is kept for another try.
    case .decoderDied, .invalidReply, .timedOut, .outOfMemory, .misuse, .outputDenied, .outputFailed, .outputExists,
      .outputDuplicate, .inputOutput:
      self.init(.internalServerError, failure.message + advice)
    case .missing, .isFolder, .notRegular, .denied, .empty, .isCover, .isPicture, .changed, .unrecognised, .refused,
      .noIndex, .noVideoStream, .unsupportedCodec, .damaged, .truncated, .noFrame, .encrypted, .tooLarge,
      .unsupportedPixels, .unfitContainer, .incompatible, .severalRecordings:
      self.init(.unprocessableContent, "this cannot be used as a clip: \(failure.message)")
    }
  }
}
