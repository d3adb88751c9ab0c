internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Files
internal import Synchronization
internal import SystemPackage

/// Checks in the background that files are videos, before they are added to the board.
final class ClipCheck: Sendable {
  /// What was found out about a file.
  struct Answer {
    /// The question in whose answer the file was named.
    let prompt: PathPrompt
    /// The file, with its duration if that is known, or why it cannot be added.
    let clip: Result<ClipFile, CommandError>
  }

  private struct State {
    var answers: [Answer] = []
    var tasks: [Task<Void, Never>] = []
  }

  /// The folder of the board.
  private let folder: FilePath
  private let wakeup: Wakeup
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folder: The folder of the board.
  ///   - wakeup: What to signal when there is an answer.
  init(for folder: FilePath, waking wakeup: Wakeup) {
    (self.folder, self.wakeup) = (folder, wakeup)
  }

  /// Starts to check the file whose path was entered.
  ///
  /// - Throws: An error if it is not a regular file.
  func ask(_ prompt: PathPrompt) throws(CommandError) {
    _ = try ClipFile(reading: prompt.path, for: folder)
    state.withLock { state in
      state.tasks.append(
        Task {
          let answer = Answer(prompt: prompt, clip: await clip(at: prompt.path))
          self.state.withLock { $0.answers.append(answer) }
          wakeup.signal()
        }
      )
    }
  }

  /// Returns the answers since the last call.
  func takeAnswers() -> [Answer] {
    state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// Ends all checks.
  func end() async {
    let tasks = state.withLock(\.tasks)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func clip(at path: FilePath) async -> Result<ClipFile, CommandError> {
    do throws(CommandError) {
      return .success(
        try await ClipFile(
          checking: path,
          with: CoverService(decoder: try ProgramLocation.decoder.find()),
          for: folder,
          otherwise: "'clipcanvas board clip import --no-check' adds it anyway"
        )
      )
    } catch {
      return .failure(error)
    }
  }
}
