internal import CanvasModel

/// A board as it was at one moment: its canvases in order, and the recording that is open.
public struct BoardState: Sendable, Hashable {
  /// What somebody who holds the board is doing.
  public enum Session: String, Sendable, CaseIterable {
    /// No canvas is selected.
    case idle
    case selected
    /// The selected canvas shows what its recorder sees.
    case previewing
    case recording, paused
    /// The recording has ended, and its clip is not available yet.
    case finalizing

    /// Whether a recording is open, so that taps have no effect.
    public var isLocked: Bool { SessionName(rawValue: rawValue)?.isLocked ?? false }
  }

  /// The number of the transaction that made this board; 0 for a new one.
  public let revision: Int
  /// The state of selection, preview and recording.
  public let session: Session
  /// The ID of the selected canvas.
  public let selected: String?
  /// The ID of the recording that is open.
  public let take: String?
  /// The canvases in their order.
  public let canvases: [BoardCanvas]

  /// Returns the canvas with an ID.
  public subscript(id: String) -> BoardCanvas? { canvases.first { $0.id == id } }

  init(_ board: Board) {
    revision = board.revision
    session = Session(rawValue: board.session.name.rawValue) ?? .idle
    selected = board.session.focus?.description
    take = board.session.take?.id.description
    canvases = board.canvases.map { BoardCanvas($0, in: board.session) }
  }
}

/// A place on a board that can hold one clip with its cover.
public struct BoardCanvas: Sendable, Hashable, Identifiable {
  /// What a recorder does with the canvas.
  public enum Status: String, Sendable, CaseIterable {
    case noPreview, inPreview, recording
  }

  /// The ID: unique on the board, and unchanged when canvases move.
  public let id: String
  /// The position and size on the screen.
  public let region: BoardRegion
  /// What a recorder does with it.
  public let status: Status
  /// The recorded or imported clip.
  public let clip: BoardClip?
  /// The cover of the clip.
  public let cover: BoardCover
  /// The clips that the canvas had before, oldest first.
  public let takes: [BoardTake]

  init(_ canvas: Canvas, in session: CanvasModel.Session) {
    (id, region) = (canvas.id.description, BoardRegion(canvas.region))
    status = Status(session.status(of: canvas.id))
    (clip, cover) = (canvas.clip.map { BoardClip($0) }, BoardCover(canvas.cover))
    takes = canvas.takes.map { BoardTake($0) }
  }
}

extension BoardCanvas.Status {
  init(_ status: CanvasModel.Status) { self = Self(rawValue: status.rawValue) ?? .noPreview }
}

/// A position and size, as fractions of the screen's width and height.
public struct BoardRegion: Sendable, Hashable {
  /// The left edge, from 0 to 1.
  public let x: Double
  /// The top edge, from 0 to 1.
  public let y: Double
  /// The width, greater than 0; `x + width` is at most 1.
  public let width: Double
  /// The height, greater than 0; `y + height` is at most 1.
  public let height: Double

  /// Creates a region, or returns `nil` if it is not inside the screen or is empty.
  public init?(x: Double, y: Double, width: Double, height: Double) {
    guard let region = Region(x: x, y: y, width: width, height: height) else { return nil }
    self.init(region)
  }

  init(_ region: Region) { (x, y, width, height) = (region.x, region.y, region.width, region.height) }

  var region: Region? { Region(x: x, y: y, width: width, height: height) }
}

/// The file of a clip.
public struct BoardClip: Sendable, Hashable {
  /// The path, absolute or relative to the board's folder; not empty.
  public let path: String
  /// The size of the file, in bytes.
  public let bytes: Int?
  /// The modification time of the file, in nanoseconds since 1970.
  public let mtimeNanoseconds: Int?
  /// The duration in seconds.
  public let duration: Double?
  /// The start of the part that is played, in seconds; `nil` for the start of the clip.
  public private(set) var from: Double?
  /// The end of the part that is played, in seconds; `nil` for the end of the clip.
  public private(set) var to: Double?

  /// Creates a clip.
  public init(path: String, bytes: Int? = nil, mtimeNanoseconds: Int? = nil, duration: Double? = nil) {
    (self.path, self.bytes, self.mtimeNanoseconds, self.duration) = (path, bytes, mtimeNanoseconds, duration)
  }

  init(_ clip: Clip) {
    self.init(clip.file)
    (from, to) = (clip.trim?.from, clip.trim?.to)
  }

  init(_ file: ClipFile) {
    self.init(
      path: file.path,
      bytes: file.bytes,
      mtimeNanoseconds: file.mtimeNanoseconds,
      duration: file.durationSeconds
    )
  }

  func file() throws(BoardError) -> ClipFile {
    guard let file = ClipFile(path: path, bytes: bytes, mtimeNanoseconds: mtimeNanoseconds, durationSeconds: duration)
    else { throw BoardError(.invalidEvent, "the path of the clip is empty") }
    return file
  }
}

/// A clip that a canvas had before, and that can be used again.
public struct BoardTake: Sendable, Hashable {
  /// The number that identifies the take in events: the revision of the board that set or trimmed its clip.
  public let generation: Int
  /// The clip.
  public let clip: BoardClip
  /// The cover of the clip.
  public let cover: BoardCover

  init(_ take: KeptTake) {
    (generation, clip, cover) = (take.clip.generation, BoardClip(take.clip), BoardCover(take.cover))
  }
}

/// The cover of a canvas.
public enum BoardCover: Sendable, Hashable {
  /// The canvas has no clip.
  case none
  /// The cover has not been made yet.
  case pending
  /// The cover is the file at a path, absolute or relative to the board's folder.
  case ready(path: String)
  /// No cover could be made of the clip.
  case failed(reason: String)

  init(_ cover: Cover) {
    self =
      switch cover {
      case .none: .none
      case .pending: .pending
      case .ready(let file): .ready(path: file.path)
      case .failed(let reason): .failed(reason: reason)
      }
  }
}
