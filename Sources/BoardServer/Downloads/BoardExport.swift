internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import HTTPTypes
internal import SystemPackage

/// The video of the whole board, which another program makes when the owner asks for it.
///
/// There is one at a time. It is kept in the user's state folder until the next is made, or until the server ends.
actor BoardExport {
  /// What pages show.
  enum State: Equatable, Sendable {
    /// The video is being made.
    case running(frames: Int, total: Int)
    /// The video can be downloaded; `problem` is what it lacks, if anything.
    case done(bytes: Int, problem: String)
    /// No video was made.
    case failed(reason: String)

    var json: JSON {
      switch self {
      case .running(let frames, let total):
        .object(["state": .string("running"), "frames": JSON(frames), "total": JSON(total)])
      case .done(let bytes, let problem):
        .object(["state": .string("done"), "bytes": JSON(bytes), "problem": JSON(problem.isEmpty ? nil : problem)])
      case .failed(let reason): .object(["state": .string("failed"), "reason": .string(reason)])
      }
    }
  }

  private let feed: BoardFeed
  /// The place of the video.
  nonisolated let place: OutputPlace
  private var task: Task<Void, Never>?

  /// - Parameters:
  ///   - feed: The board.
  ///   - board: The board's absolute path without links.
  init(of feed: BoardFeed, at board: FilePath) {
    self.feed = feed
    place = StateFolder.place(ofBoard: board, prefix: "export-", suffix: ".mp4")
    place.remove { _ in true }
  }

  /// Starts to make the video.
  func start() throws(RequestFailure) {
    guard task == nil else {
      throw RequestFailure(.conflict, "a video of the board is being made; wait for it, or cancel it")
    }
    guard feed.board.canvases.contains(where: { $0.clip != nil }) else {
      throw RequestFailure(.conflict, "no canvas has a clip; record one first")
    }
    place.remove { _ in true }
    feed.show(export: .running(frames: 0, total: 0))
    task = Task {
      let state = await make()
      task = nil
      feed.show(export: state)
    }
  }

  /// Stops making the video, or removes it.
  func cancel() async {
    task?.cancel()
    await task?.value
    place.remove { _ in true }
    feed.show(export: nil)
  }

  /// Returns the end of an attempt to make the video; `nil` if it was cancelled.
  private func make() async -> State? {
    var arguments = ExportArguments(board: feed.file.path, output: place.path)
    (arguments.isForced, arguments.isIndexFirst, arguments.reportsProgress) = (true, true, true)
    do {
      let end = try await ViewProgram.run(.export(arguments)) { [feed] line in
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        if numbers.count == 2 { feed.show(export: .running(frames: numbers[0], total: numbers[1])) }
      }
      guard !Task.isCancelled else { return nil }
      guard case .file(_, let bytes) = place.occupant() else { return .failed(reason: end.message) }
      return .done(bytes: bytes, problem: end.message)
    } catch {
      return Task.isCancelled ? nil : .failed(reason: "\(error)")
    }
  }
}
