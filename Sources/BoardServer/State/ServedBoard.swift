internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// What the page knows of a board: what each canvas shows, and which events would change it now.
struct ServedBoard: Equatable {
  /// What the server knows of the open recording beyond the board.
  struct Recorder: Equatable, Sendable {
    /// The take.
    let take: TakeID
    /// The upload that receives it; `nil` while none does.
    let upload: String?
    /// Whether a browser still renews the upload.
    let isPresent: Bool
    /// The guest that records; `nil` for the owner of the board.
    let guest: Person?
  }

  /// A guest.
  struct Person: Equatable, Sendable {
    let id: String
    let name: String

    init(_ guest: Guest) { (id, name) = (guest.id, guest.name) }

    var json: JSON { .object(["id": .string(id), "name": .string(name)]) }
  }

  /// A canvas.
  struct Canvas: Equatable {
    let id: CanvasID
    let json: JSON
  }

  let revision: Int
  let canvases: [Canvas]
  private let take: Take?
  private let isRecording: Bool
  private let recorder: Recorder?
  /// The members of the state that are not a canvas and do not depend on the time.
  private let members: [String: JSON]

  /// - Parameters:
  ///   - board: The board.
  ///   - name: The name of its file.
  ///   - recorder: What the server knows of the open recording.
  ///   - keptCovers: Why canvases keep older covers.
  ///   - guests: The guests of a shared board; `nil` if it is not shared.
  ///   - export: The video of the board; `nil` if none was asked for.
  ///   - problem: Why the board's file cannot be read at present; `nil` if it can.
  init(
    _ board: Board,
    name: String,
    recorder: Recorder? = nil,
    keptCovers: [CanvasID: String] = [:],
    guests: [Person]? = nil,
    export: BoardExport.State? = nil,
    problem: String? = nil
  ) {
    revision = board.revision
    take = board.session.take
    isRecording = board.session.name == .recording
    self.recorder = recorder?.take == take?.id ? recorder : nil
    var trials = Trials(of: board)
    // As in all other views of a board.
    canvases = zip(board.canvases, BoardLayout(board).regions).map { canvas, region in
      let kept = canvas.cover.name == .ready ? keptCovers[canvas.id] : nil
      let can = trials.json(for: canvas)
      return Canvas(id: canvas.id, json: Self.json(of: canvas, in: region, on: board, kept: kept, can: can))
    }
    members = [
      "name": .string(name),
      "session": .string(board.session.name.rawValue),
      "focus": JSON(board.session.focus?.description),
      "can": Trials.json(of: board),
      "undoes": JSON(board.nextUndo?.message),
      "redoes": JSON(board.nextRedo?.message),
      "problem": JSON(problem),
      "export": export?.json ?? .null,
      "guests": guests.map { .array($0.map(\.json)) } ?? .null,
      "limits": UploadLimits.json,
    ]
  }

  private static func json(
    of canvas: CanvasModel.Canvas,
    in region: Region,
    on board: Board,
    kept: String?,
    can: JSON
  ) -> JSON {
    var reason: String?
    if case .failed(let text) = canvas.cover { reason = DisplayName.of(text) }
    return .object([
      "id": .string(canvas.id.description),
      "region": .object([
        "x": JSON(region.x), "y": JSON(region.y), "width": JSON(region.width), "height": JSON(region.height),
      ]),
      "isSelected": .bool(board.session.focus == canvas.id),
      "status": .string(board.session.status(of: canvas.id).rawValue),
      "shows": .string(board.shows(canvas).rawValue),
      "clip": canvas.clip.map { clip in
        .object([
          "name": .string(
            DisplayName.of(RawArguments.path(of: clip.file.path).lastComponent?.string ?? clip.file.path)
          ),
          "generation": JSON(clip.generation),
          "seconds": clip.playedSeconds.map { JSON($0) } ?? .null,
          "from": clip.trim.map { JSON($0.from) } ?? .null,
          "to": clip.trim?.to.map { JSON($0) } ?? .null,
        ])
      } ?? .null,
      "takes": JSON(canvas.takes.count),
      "cover": .string(canvas.cover.name.rawValue),
      "coverReason": JSON(reason),
      "coverShape": shape(of: canvas.cover).map { JSON($0) } ?? .null,
      "coverKept": JSON(kept.map { DisplayName.of($0) }),
      "can": can,
    ])
  }

  /// Returns the width of a cover divided by its height; `nil` if it is not known.
  private static func shape(of cover: Cover) -> Double? {
    guard case .ready(let file) = cover, let width = file.width, let height = file.height, width > 0, height > 0 else {
      return nil
    }
    return Double(width) / Double(height)
  }

  /// The whole state, as JSON on one line.
  func json(at now: Instant) -> [UInt8] {
    line(with: canvases.map(\.json), order: nil, at: now)
  }

  /// The state with only the canvases that differ from an earlier state, as JSON on one line.
  func changes(since old: ServedBoard, at now: Instant) -> [UInt8] {
    let known = Dictionary(old.canvases.map { ($0.id, $0.json) }) { one, _ in one }
    let isReordered = old.canvases.map(\.id) != canvases.map(\.id)
    return line(
      with: canvases.filter { known[$0.id] != $0.json }.map(\.json),
      order: isReordered ? canvases.map { .string($0.id.description) } : nil,
      at: now
    )
  }

  private func line(with canvases: [JSON], order: [JSON]?, at now: Instant) -> [UInt8] {
    var members = members.map { ($0.key, $0.value) }
    members += [("revision", JSON(revision)), ("time", JSON(now.secondsSince1970)), ("canvases", .array(canvases))]
    members.append(("take", take.map { json(of: $0, at: now) } ?? .null))
    if let order { members.append(("order", .array(order))) }
    return JSON.object(JSONObject(members)).line
  }

  private func json(of take: Take, at now: Instant) -> JSON {
    .object([
      "id": .string(take.id.description),
      "canvas": .string(take.canvas.description),
      "seconds": JSON(take.duration(until: now)),
      "isRunning": .bool(isRecording),
      "interruption": JSON(take.interruption.map { DisplayName.of($0) }),
      "upload": JSON(recorder?.upload),
      "guest": recorder?.guest?.json ?? .null,
      "isRecordedHere": .bool(recorder != nil || take.owner == .server),
      "isRecorderPresent": .bool(recorder?.isPresent ?? false),
    ])
  }
}

extension Take.Owner {
  /// The owner of takes that browsers record.
  static let server = Take.Owner(processID: Int(getpid()))
}
