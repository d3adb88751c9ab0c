internal import ArgumentParser
internal import BoardStore
internal import CanvasModel
internal import CoverService
internal import Covers
internal import Glibc
internal import SystemPackage

/// A clip on its way to a board, and from there to its cover.
struct BoardClip {
  private let path: FilePath
  private let options: ChangeOptions
  private let cover: CoverOptions
  private let file: ClipFile

  /// - Throws: The end of the program when there is no such file.
  init(_ path: FilePath, options: ChangeOptions, cover: CoverOptions) throws {
    (self.path, self.options, self.cover) = (path, options, cover)
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else {
      throw Self.unusable(path, Errno(rawValue: errno).words)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Self.unusable(path, "it is no regular file") }
    let nanoseconds = Int(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard
      let file = ClipFile(
        path: BoardPath.text(for: path, in: options.board.file.folder),
        bytes: Int(status.st_size),
        mtimeNanoseconds: nanoseconds.overflow ? nil : nanoseconds.partialValue + Int(status.st_mtim.tv_nsec)
      )
    else { throw Self.unusable(path, "its name is empty") }
    self.file = file
  }

  private static func unusable(_ path: FilePath, _ reason: String) -> ExitCode {
    Console.complain("clipcanvas: cannot take the clip \(path.displayText): \(reason); nothing was changed")
    return ExitStatus.couldNotGoOn
  }

  /// Puts the clip onto a canvas.
  func importInto(_ canvas: CanvasID, replace: Bool) async throws {
    let outcome = try options.apply { _ in .importClip(canvas, file, replace: replace) }
    try OutcomeReport.print(outcome, asJSON: options.json)
    try await makeCover(after: outcome)
  }

  /// Ends a take with the clip, as one transaction.
  ///
  /// - Parameters:
  ///   - take: Its name; `nil` for the open one.
  ///   - stopping: Whether the recording is ended first, where it still goes on.
  func finishTake(_ take: TakeID? = nil, stopping: Bool) async throws {
    let now = Instant.now
    let outcome = try options.transact { board in
      let finish = Event.takeFinished(take ?? board.openTake, file)
      return board.apply(stopping ? [(.recordStop, now), (finish, now)] : [(finish, now)]).outcome
    }
    try OutcomeReport.print(outcome, asJSON: options.json)
    try await makeCover(after: outcome)
  }

  private func makeCover(after outcome: Outcome) async throws {
    guard cover.cover, case .changed(_, let changes) = outcome else { return }
    for case .clip(let clip) in changes.map(\.new) {
      guard let canvas = changes.first(where: { $0.new == .clip(clip) })?.canvas else { continue }
      let waiting = WaitingCover(canvas: canvas, clip: clip)
      try await BoardCovers(options: options, decoder: cover.decoder).make([waiting])
    }
  }
}

/// How the paths of clips and covers stand in a board's file.
enum BoardPath {
  /// A path as text: relative to the board's folder where it lies below it, else absolute.
  ///
  /// Bytes that are no UTF-8 are carried as ``RawArguments`` carries them.
  static func text(for path: FilePath, in folder: FilePath) -> String {
    var path = absolute(path)
    _ = path.removePrefix(absolute(folder))
    return text(path)
  }

  /// The path that a text of a board in this folder stands for.
  static func path(of text: String, in folder: FilePath) -> FilePath {
    let bytes = RawArguments.bytes(of: text)
    let path = FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
    return path.isAbsolute ? path : folder.pushing(path)
  }

  private static func text(_ path: FilePath) -> String {
    path.withPlatformString { start in
      RawArguments.text(ofBytes: UnsafeBufferPointer(start: start, count: strlen(start)))
    }
  }

  /// Where `..` follows a symbolic link, only the system knows what is meant; else links stay as they are named.
  private static func absolute(_ path: FilePath) -> FilePath {
    let path = path.isAbsolute ? path : FilePath.currentFolder.pushing(path)
    guard path.components.contains(where: { $0.kind == .parentDirectory }), let name = path.lastComponent,
      let folder = path.removingLastComponent().withPlatformString({ realpath($0, nil) })
    else { return path.lexicallyNormalized() }
    defer { free(folder) }
    return FilePath(platformString: folder).appending(name).lexicallyNormalized()
  }
}
