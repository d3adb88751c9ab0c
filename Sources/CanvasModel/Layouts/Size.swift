/// Estimates of the size of values in a board's document, in bytes.
///
/// An estimate is never below the real size of a document without unknown members, and rarely more than a half above
/// it. It depends on nothing but the values, so the same events are refused everywhere.
enum Size {
  /// A line with a member, such as `"key": value,`, without the value: indentation, name, punctuation.
  private static let member = 30
  /// A number in any notation.
  private static let number = 24
  /// The lines with the brackets of an object or array.
  private static let brackets = 40

  static func of(_ text: String) -> Int {
    text.utf8.reduce(2) { size, byte in
      switch byte {
      case 0x22, 0x5C: size + 2
      case ..<0x20, 0x7F: size + 6
      default: size + 1
      }
    }
  }

  static func of(_ id: CanvasID) -> Int { of(id.description) }

  static func of(_ region: Region) -> Int { brackets + 4 * (member + number) }

  static func of(_ file: ClipFile) -> Int {
    let numbers = [file.bytes != nil, file.mtimeNanoseconds != nil, file.durationSeconds != nil].count { $0 }
    return brackets + member + of(file.path) + numbers * (member + number)
  }

  static func of(_ clip: Clip) -> Int { of(clip.file) + (clip.trim == nil ? 1 : 3) * (member + number) }

  static func of(_ take: KeptTake) -> Int { brackets + 2 * member + of(take.clip) + of(take.cover) }

  static func of(_ file: CoverFile) -> Int {
    let numbers = [file.width != nil, file.height != nil, file.actualTime != nil].count { $0 }
    return brackets + member + of(file.path) + numbers * (member + number)
  }

  static func of(_ cover: Cover) -> Int {
    switch cover {
    case .none, .pending: brackets + member + 10
    case .ready(let file): of(file) + member + 10
    case .failed(let reason): brackets + 2 * member + 10 + of(reason)
    }
  }

  static func of(_ owner: Take.Owner) -> Int { brackets + 3 * member + 2 * number + of(owner.bootID) }

  static func of(_ take: Take) -> Int {
    let texts = of(take.id.description) + of(take.canvas) + (take.interruption.map { member + of($0) } ?? 0)
    let segments = take.segments.count * (brackets + 2 * (member + number))
    return brackets + 3 * member + texts + segments + (take.owner.map { member + of($0) } ?? 0)
  }

  static func of(_ canvas: Canvas) -> Int {
    let clip = canvas.clip.map { member + of($0) } ?? 0
    let takes = canvas.takes.reduce(0) { $0 + of($1) + member + of(canvas.id) }
    return brackets + 5 * member + of(canvas.id) + 16 + of(canvas.region) + of(canvas.cover) + clip + takes
  }

  static func of(_ value: Value) -> Int {
    switch value {
    case .none, .isSelected, .status, .session: 16
    case .position: number
    case .clip(let clip): of(clip)
    case .cover(let cover): of(cover)
    case .keptTake(let take): of(take)
    case .region(let region): of(region)
    case .canvases(let ids): ids.reduce(brackets) { $0 + member + of($1) }
    case .take(let take): of(take)
    }
  }

  static func of(_ change: Change) -> Int {
    brackets + 4 * member + (change.canvas.map { of($0) } ?? 0) + 16 + of(change.old) + of(change.new)
  }

  static func of(_ event: Event) -> Int {
    let base = brackets + 2 * member + 20 + (event.subject.map { of($0) } ?? 0)
    switch event {
    case .tap, .select, .deselect, .preview, .stopPreview, .recordPause, .recordStop, .recordDiscard, .removeClip,
      .coverRetry, .removeCanvas, .undo, .redo:
      return base
    case .recordStart(let take, _, let owner):
      return base + 3 * member + of(take.description) + (owner.map { of($0) } ?? 0)
    case .recordResume(let owner): return base + (owner.map { member + of($0) } ?? 0)
    case .takeFinished(let take, let file): return base + 2 * member + of(take.description) + of(file)
    case .useTake, .removeTake: return base + member + number
    case .trimClip: return base + 2 * (member + number)
    case .takeFailed(let take, let reason): return base + 2 * member + of(take.description) + of(reason)
    case .importClip(_, let file, _): return base + 2 * member + of(file)
    case .coverReady(_, _, let file): return base + 2 * member + number + of(file)
    case .coverFailed(_, _, let reason): return base + 2 * member + number + of(reason)
    case .addCanvas(let canvas, let region): return base + member + of(canvas) + (region.map { of($0) } ?? 0)
    case .moveCanvas: return base + member + number
    }
  }

  static func of(_ transaction: Transaction) -> Int {
    let changes = transaction.changes.reduce(0) { $0 + of($1) }
    let covers = transaction.covers.reduce(0) { $0 + member + of($1.key) + of($1.value) }
    return 4 * brackets + 8 * member + 3 * number + ofEvents(transaction) + changes + covers
  }

  /// The size of a transaction's events and of their names.
  static func ofEvents(_ transaction: Transaction) -> Int {
    transaction.events.reduce(transaction.kind.names.count * (member + 16)) { $0 + of($1) }
  }

  /// The size of a board without its history.
  static func of(_ board: Board) -> Int {
    let take = board.session.take.map { of($0) } ?? 0
    return board.canvases.reduce(3 * brackets + 9 * member + 3 * number + take) { $0 + of($1) }
  }
}
