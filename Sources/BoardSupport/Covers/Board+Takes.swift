package import CanvasModel
internal import Files
package import SystemPackage

/// A clip that a canvas has, had, or would have again after an undo or redo.
package struct ListedTake: Hashable, Sendable {
  /// What became of the file since the board recorded it.
  package enum FileState: String, CaseIterable, Sendable {
    case unchanged, changed, missing
  }

  /// The canvas.
  package let canvas: CanvasID
  /// The clip; its generation is the number of the take.
  package let clip: Clip
  /// The state of the cover.
  package let cover: Cover
  /// Whether it is the clip of the canvas.
  package let isInUse: Bool
  /// Whether the board keeps it; otherwise only the history has it.
  package let isKept: Bool
  /// Whether a step of the history has it, so that its file is needed to undo or redo.
  package let isInHistory: Bool

  /// The name of the file.
  package var fileName: String { DisplayName.of(clip.file.path.split(separator: "/").last.map(String.init) ?? "") }

  /// Returns what became of the file.
  ///
  /// - Parameter folder: The board's folder.
  package func fileState(in folder: FilePath) -> FileState { clip.fileState(in: folder) }
}

extension Clip {
  /// Returns what became of the file.
  ///
  /// - Parameter folder: The board's folder.
  package func fileState(in folder: FilePath) -> ListedTake.FileState {
    guard let status = try? FileStatus(of: BoardPath.path(of: file.path, in: folder)) else { return .missing }
    let isSame =
      status.kind == .regular && file.bytes ?? status.bytes == status.bytes
      && file.mtimeNanoseconds ?? status.modificationTime.totalNanoseconds
        == status.modificationTime.totalNanoseconds
    return isSame ? .unchanged : .changed
  }

  /// Returns why the clip cannot be put on a canvas again, for a message; `nil` if its file is as it was.
  ///
  /// - Parameter folder: The board's folder.
  package func problem(in folder: FilePath) -> String? {
    switch fileState(in: folder) {
    case .unchanged: nil
    case .missing: "the file \(DisplayName.of(file.path)) is missing; restore it"
    case .changed: "the file \(DisplayName.of(file.path)) was replaced or changed since the take"
    }
  }
}

extension Board {
  /// Returns why one of some events cannot use its take, for a message: the file is missing or has changed.
  ///
  /// - Parameter folder: The board's folder.
  package func problem(of events: [Event], in folder: FilePath) -> String? {
    for case .useTake(let canvas, let generation) in events {
      let take = self[canvas]?.takes.first { $0.clip.generation == generation }
      if let problem = take?.clip.problem(in: folder) { return problem }
    }
    return nil
  }

  /// Returns the takes of some canvases, in board order, the oldest of each canvas first.
  ///
  /// - Parameter canvases: The canvases; `nil` for all.
  package func listedTakes(of canvases: Set<CanvasID>? = nil) -> [ListedTake] {
    let history = takesInHistory
    return self.canvases.filter { canvases?.contains($0.id) ?? true }.flatMap { canvas -> [ListedTake] in
      let former = history[canvas.id] ?? [:]
      var kept = canvas.takes
      if let clip = canvas.clip { kept.append(KeptTake(clip: clip, cover: canvas.cover)) }
      let paths = Set(kept.map(\.clip.file.path))
      let lost = former.values.filter { !paths.contains($0.clip.file.path) }
      return (kept + lost).map { take in
        ListedTake(
          canvas: canvas.id,
          clip: take.clip,
          cover: take.cover,
          isInUse: take.clip == canvas.clip,
          isKept: paths.contains(take.clip.file.path),
          isInHistory: former[take.clip.file.path] != nil
        )
      }.sorted { ($0.clip.generation, $0.clip.file.path) < ($1.clip.generation, $1.clip.file.path) }
    }
  }

  /// The newest value of each clip in the history, by canvas and path.
  private var takesInHistory: [CanvasID: [String: KeptTake]] {
    var takes: [CanvasID: [String: KeptTake]] = [:]
    for change in history.transactions.lazy.flatMap(\.changes) {
      guard let canvas = change.canvas else { continue }
      for value in [change.old, change.new] {
        switch value {
        case .clip(let clip): takes[canvas, default: [:]][clip.file.path] = KeptTake(clip: clip, cover: .pending)
        case .keptTake(let take): takes[canvas, default: [:]][take.clip.file.path] = take
        default: break
        }
      }
    }
    return takes
  }
}
