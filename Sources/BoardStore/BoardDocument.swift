public import CanvasModel

/// A board together with the JSON it was read from, so that unknown members are preserved when it is written.
public struct BoardDocument: Sendable {
  /// The schema version of the documents that this version writes.
  public static let schemaVersion = 1
  /// The highest revision number; up to this number, every JSON reader represents integers exactly.
  public static let maximumRevision = 1 << 53

  /// The board.
  public var board: Board
  /// The schema version of the document; a newer version is read where possible but never written.
  public let schemaVersion: Int
  private let original: JSONObject

  /// Creates a new document.
  public init(_ board: Board) {
    self.board = board
    schemaVersion = Self.schemaVersion
    original = JSONObject([])
  }

  /// Parses a document.
  init(parsing bytes: [UInt8]) throws(UnreadableBoard) {
    guard bytes.contains(where: { $0 != 0 }) else {
      throw bytes.isEmpty ? .empty : .corrupt("it holds nothing but zeros")
    }
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw .corrupt("\(error)")
    }
    guard case .object(let original) = json else { throw .corrupt("it is JSON, but not an object") }
    self.original = original
    let reader = JSONReader(json)
    do throws(ShapeError) {
      schemaVersion = try reader.member("schemaVersion").int()
      guard schemaVersion >= 1 else { throw try reader.member("schemaVersion").error("is below 1") }
    } catch {
      throw .corrupt(error.description)
    }
    do {
      let (snapshot, revision, history) = try Self.parts(reader)
      board = try Board(snapshot, revision: revision, history: history)
    } catch {
      let what =
        switch error {
        case let error as ShapeError: error.description
        case let error as InvalidSnapshot: error.problems.joined(separator: "; ")
        default: "\(error)"
        }
      throw schemaVersion > Self.schemaVersion ? .newer(schemaVersion) : .corrupt(what)
    }
  }

  /// Returns the parts of a document, without checking them against each other.
  static func parts(_ reader: JSONReader) throws(ShapeError) -> (Snapshot, revision: Int, History) {
    var canvases: [Snapshot.Canvas] = []
    for canvas in try reader.member("canvases").elements() { canvases.append(try canvas.canvas()) }
    let snapshot = Snapshot(
      canvases: canvases,
      take: try reader.optional("take")?.take(),
      session: try reader.member("session").word(SessionName.self)
    )
    let revision = try reader.member("revision").revision()
    var transactions: [Transaction] = []
    for transaction in try reader.optional("history")?.elements() ?? [] {
      let transaction = try transaction.transaction()
      guard transaction.revision <= revision, transaction.revision > transactions.last?.revision ?? 0 else {
        throw ShapeError(description: "history has revision \(transaction.revision) out of order")
      }
      transactions.append(transaction)
    }
    return (snapshot, revision, History(transactions))
  }

  /// The serialised document: keys sorted, indented by two spaces per level, with a trailing newline.
  public var bytes: [UInt8] {
    let snapshot = Snapshot(board)
    let kept = KeptValues(original)
    let new = JSONObject(
      [
        ("schemaVersion", JSON(Self.schemaVersion)),
        ("revision", JSON(board.revision)),
        ("session", .string(snapshot.session.rawValue)),
        ("canvases", .array(canvases(of: snapshot, kept))),
        ("history", .array(history(kept))),
      ] + (snapshot.take.map { [("take", takeJSON($0))] } ?? [])
    )
    let known: Set = ["schemaVersion", "revision", "session", "canvases", "take", "history"]
    return JSON.object(original.replacing(known, with: new)).document
  }

  private func canvases(of snapshot: Snapshot, _ kept: KeptValues) -> [JSON] {
    var earlier: [String: JSONObject] = [:]
    if case .array(let canvases) = original["canvases"] {
      for case .object(let canvas) in canvases {
        if case .string(let id) = canvas["id"] { earlier[id] = canvas }
      }
    }
    return snapshot.canvases.map { JSON($0, over: earlier[$0.id.description], kept) }
  }

  /// Returns the history as JSON; transactions that were read from the file are written back unchanged.
  private func history(_ kept: KeptValues) -> [JSON] {
    var earlier: [Int: JSON] = [:]
    if case .array(let transactions) = original["history"] {
      for transaction in transactions {
        if case .number(let digits) = transaction["revision"], let revision = Int(digits) {
          earlier[revision] = transaction
        }
      }
    }
    return board.history.transactions.map { earlier[$0.revision] ?? JSON($0, value: kept.json) }
  }

  private func takeJSON(_ take: Take) -> JSON {
    let isSame = original["take"]?["id"] == .string(take.id.description)
    return JSON(take).over(
      isSame ? original["take"] : nil,
      known: ["id", "canvas", "segments", "interrupted", "owner"]
    )
  }
}

extension JSONReader {
  fileprivate func canvas() throws(ShapeError) -> Snapshot.Canvas {
    Snapshot.Canvas(
      id: try member("id").canvasID(),
      isSelected: try member("isSelected").bool(),
      status: try member("status").word(Status.self),
      clip: try optional("clip")?.clip(),
      cover: try member("cover").cover(),
      region: try member("region").region()
    )
  }
}

extension JSON {
  /// Creates the JSON of a canvas, with the unknown members of its earlier version.
  fileprivate init(_ canvas: Snapshot.Canvas, over earlier: JSONObject?, _ kept: KeptValues) {
    let new = JSONObject(
      [
        ("id", .string(canvas.id.description)),
        ("isSelected", .bool(canvas.isSelected)),
        ("status", .string(canvas.status.rawValue)),
        ("cover", kept.json(.cover(canvas.cover), of: canvas.id)),
        ("region", kept.json(.region(canvas.region), of: canvas.id)),
      ] + (canvas.clip.map { [("clip", kept.json(.clip($0), of: canvas.id))] } ?? [])
    )
    let known: Set = ["id", "isSelected", "status", "clip", "cover", "region"]
    self = .object(earlier?.replacing(known, with: new) ?? new)
  }

  /// Returns this object with the unknown members of its earlier version.
  fileprivate func over(_ earlier: JSON?, known: Set<String>) -> JSON {
    guard case .object(let earlier) = earlier, case .object(let new) = self else { return self }
    return .object(earlier.replacing(known, with: new))
  }
}
