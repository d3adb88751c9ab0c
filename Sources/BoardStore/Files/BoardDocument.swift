package import CanvasModel

/// A board together with the unknown members of the JSON it was read from, which are preserved when it is written.
package struct BoardDocument: Sendable {
  /// The newest schema version that this version reads and writes.
  ///
  /// A document has version 1 unless it has takes or parts of clips, so that older versions can change it.
  package static let schemaVersion = 2
  /// The highest revision number; up to this number, every JSON reader represents integers exactly.
  package static let maximumRevision = 1 << 53
  /// The maximum size of a document, in bytes; a larger one is neither read nor written.
  package static let maximumBytes = Board.maximumBytes

  static let members: Set = [
    "schemaVersion", "revision", "session", "canvases", "take", "takes", "history", "coverSize",
  ]
  static let canvasMembers: Set = ["id", "isSelected", "status", "clip", "cover", "region"]

  /// The board.
  package var board: Board
  /// The schema version of the document as it was read; a newer version is read where possible but never written.
  package let schemaVersion: Int
  /// The number of transactions in the document as it was read.
  private(set) var transactionsRead = 0
  private var kept = UnknownMembers()
  /// What was written last, or read if it is not large.
  private var source: BoardFile.Source?

  /// Whether a newer version wrote the document, so that it may mean what this version does not know.
  package var isNewer: Bool { schemaVersion > Self.schemaVersion }

  /// Creates a new document.
  package init(_ board: Board) {
    self.board = board
    schemaVersion = board.schemaVersion
  }

  /// Parses a document whose canvas IDs must all be valid.
  init(parsing bytes: [UInt8]) throws(UnreadableBoard) {
    try self.init(parsingAnyIDs: bytes)
    let names = board.invalidIDs
    guard names.isEmpty else {
      throw isNewer ? .newer(schemaVersion) : .corrupt(names.problem)
    }
  }

  /// Parses a document whose canvas IDs may be any text, for a repair.
  init(parsingAnyIDs bytes: [UInt8]) throws(UnreadableBoard) {
    guard bytes.contains(where: { $0 != 0 }) else {
      throw bytes.isEmpty ? .empty : .corrupt("it contains only zeros")
    }
    let parts = DocumentParts(of: bytes)
    let json: JSON
    do {
      json = try JSON(parsing: bytes, passing: parts.streams)
    } catch {
      if let format = ForeignFormat(bytes) { throw .foreign(format) }
      throw .corrupt(ForeignText(bytes)?.problem ?? "\(error)")
    }
    guard case .object = json else { throw .corrupt("it is JSON, but not an object") }
    let reader = JSONReader(json)
    do throws(ShapeError) {
      schemaVersion = try reader.member("schemaVersion").int()
      guard schemaVersion >= 1 else { throw try reader.member("schemaVersion").error("is below 1") }
    } catch {
      throw .corrupt(error.description)
    }
    do {
      board = try parts.board(reader)
    } catch {
      let what =
        switch error {
        case let error as ShapeError: error.description
        case let error as InvalidSnapshot: error.problems.joined(separator: "; ")
        default: "\(error)"
        }
      throw schemaVersion > Self.schemaVersion ? .newer(schemaVersion) : .corrupt(what)
    }
    (kept, transactionsRead) = (parts.kept, parts.transactionsRead)
    kept.keep(document: json, take: board.session.take)
    if parts.keepsPlaces { source = (board, parts.text(bytes)) }
  }

  /// Returns the text that the document was read from, with the places of its parts if they are known.
  func text(readFrom bytes: [UInt8]) -> DocumentText { source?.text ?? DocumentText(bytes: bytes) }

  /// The serialised document: keys sorted, indented by two spaces per level, with a trailing newline.
  package var bytes: [UInt8] { text(replacing: source, limit: .max).text.bytes }

  /// Returns the serialised document.
  ///
  /// - Parameters:
  ///   - old: The previous board and its text; unchanged parts are copied from the text.
  ///   - size: The expected size in bytes.
  ///   - limit: The size beyond which the text is only measured.
  /// - Returns: The text, and its size; the text is incomplete if the size exceeds the limit.
  private func text(
    replacing old: BoardFile.Source?,
    expecting size: Int = 0,
    limit: Int
  ) -> (text: DocumentText, size: Int) {
    let unchanged = old.map { old in board.canvasesUnchanged(since: old.board) }
    let transactions = board.history.transactions
    var places = DocumentText.Places()
    places.canvases.reserveCapacity(board.canvases.count)
    let canvases = JSON.Texts(
      copy: { index in unchanged?(index) == true ? old?.text.canvas(index) : nil },
      element: { index in json(Snapshot.Canvas(board.canvases[index], in: board.session)) },
      onWritten: { places.canvases.append($0) }
    )
    let history = JSON.Texts(
      copy: { index in old?.text.transaction(transactions[index]) },
      element: { index in json(transactions[index], writtenIn: old?.text) },
      onWritten: { place in
        let transaction = transactions[places.transactions.count]
        places.transactions[transaction.revision] = (transaction, place)
      }
    )
    var members: [(key: String, value: JSON.LazyValue)] = [
      ("schemaVersion", .value(JSON(board.schemaVersion))),
      ("revision", .value(JSON(board.revision))),
      ("session", .value(.string(board.session.name.rawValue))),
      ("canvases", .texts(count: board.canvases.count, canvases)),
      ("history", .texts(count: transactions.count, history)),
    ]
    let takes = board.canvases.flatMap { canvas in canvas.takes.map { (canvas.id, $0) } }
    if !takes.isEmpty {
      let texts = JSON.Texts(
        copy: { _ in nil },
        element: { kept.json(takes[$0].1, of: takes[$0].0) },
        onWritten: { _ in }
      )
      members.append(("takes", .texts(count: takes.count, texts)))
    }
    if let take = board.session.take { members.append(("take", .value(kept.json(take)))) }
    if let side = board.coverSide { members.append(("coverSize", .value(JSON(side)))) }
    // The new document is rarely much larger than the old one; growing an array would copy it.
    let (bytes, total) = JSON.document(
      members,
      besides: kept.documentMembers,
      capacity: min(size, limit) + 1 << 16,
      limit: limit
    )
    return (DocumentText(bytes: bytes, places: places), total)
  }

  /// Returns the serialised document, and forgets as much of the history as necessary to make it small enough.
  ///
  /// - Parameters:
  ///   - old: The document that this one was made from, and its text (default: what was read or written last).
  ///   - size: The expected size in bytes.
  /// - Returns: `nil` if the document is too large even without a history.
  mutating func fittingText(replacing old: BoardFile.Stored? = nil, expecting size: Int) -> DocumentText? {
    let old = old.map { ($0.document.board, $0.text) } ?? source
    while true {
      let (text, total) = text(replacing: old, expecting: size, limit: Self.maximumBytes)
      guard total > Self.maximumBytes else {
        source = (board, text)
        return text
      }
      guard !board.history.transactions.isEmpty else { return nil }
      // The estimates are above the real sizes, but not by as much as the double.
      board.trimHistory(to: board.history.bytes - 2 * (total - Self.maximumBytes))
    }
  }

  /// Gives valid IDs to canvases that have none, and returns the old IDs with the new ones.
  mutating func renameCanvases() -> [CanvasID: CanvasID] {
    let names = board.invalidIDs
    guard !names.isEmpty else { return [:] }
    board = board.renaming(names)
    kept.rename(names)
    source = nil
    return names
  }

  private func json(_ transaction: Transaction, writtenIn old: DocumentText?) -> JSON {
    guard case .object(let object)? = old?.json(ofTransaction: transaction.revision) else {
      return kept.json(transaction)
    }
    return kept.json(transaction, writtenAs: object)
  }

  private func json(_ canvas: Snapshot.Canvas) -> JSON {
    let members: [(String, JSON)] = [
      ("id", .string(canvas.id.description)),
      ("isSelected", .bool(canvas.isSelected)),
      ("status", .string(canvas.status.rawValue)),
      ("cover", kept.json(.cover(canvas.cover), of: canvas.id)),
      ("region", kept.json(canvas.region, of: canvas.id)),
    ]
    let clip = canvas.clip.map { [("clip", kept.json(.clip($0), of: canvas.id))] } ?? []
    return kept.json(members + clip, of: canvas.id)
  }
}

extension Board {
  /// The lowest schema version that can represent the board and its history.
  fileprivate var schemaVersion: Int {
    let isNew = canvases.contains { !$0.takes.isEmpty || $0.clip?.trim != nil }
    return isNew || history.transactions.contains(where: \.isNew) ? 2 : 1
  }
}

extension Transaction {
  /// Whether the transaction has an event or a value that version 1 of the schema does not have.
  fileprivate var isNew: Bool {
    kind.names.contains { [.trimClip, .useTake, .removeTake].contains($0) }
      || changes.contains { $0.takePath != nil || $0.old.isTrimmed || $0.new.isTrimmed }
  }
}

extension Value {
  fileprivate var isTrimmed: Bool { if case .clip(let clip) = self { clip.trim != nil } else { false } }
}

extension [CanvasID: CanvasID] {
  /// A description of the invalid IDs, with the names of up to three.
  var problem: String {
    // They may be long, and thousands.
    let names = keys.map(\.description).sorted().prefix(3).map { name in
      let start = name.unicodeScalars.prefix(CanvasID.maximumLength)
      return "'" + String(String.UnicodeScalarView(start)) + (start.count < name.unicodeScalars.count ? "…'" : "'")
    }
    let rest = count - names.count
    let list = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) others" : "")
    return "\(count) canvas \(count == 1 ? "name is" : "names are") not valid: \(list)"
  }
}

/// The large parts of a document, collected while it is parsed.
private final class DocumentParts {
  private var canvases: [Snapshot.Canvas] = []
  private var transactions: [Transaction] = []
  private var takes: [CanvasID: [KeptTake]] = [:]
  private(set) var transactionsRead = 0
  /// The number of canvases and of transactions read.
  private var counts: [String: Int] = [:]
  /// The first error in each part.
  private var errors: [String: ShapeError] = [:]
  private(set) var kept = UnknownMembers()
  /// Whether the places of all parts are collected.
  let keepsPlaces: Bool
  private var places = DocumentText.Places()

  init(of bytes: [UInt8]) {
    keepsPlaces = bytes.count <= DocumentText.maximumKeptBytes
  }

  /// Returns the text with the places of its parts.
  func text(_ bytes: [UInt8]) -> DocumentText { DocumentText(bytes: bytes, places: places) }

  /// The parts to collect.
  var streams: JSON.Streams {
    JSON.Streams(names: ["canvases", "history", "takes"]) { [self] element in
      let name = element.array
      let reader = JSONReader(element.json, at: .element(counts[name, default: 0], of: .member(name, of: .whole)))
      counts[name, default: 0] += 1
      guard errors[name] == nil else { return }
      let place = keepsPlaces ? element.place : nil
      do throws(ShapeError) {
        switch name {
        case "canvases": try addCanvas(reader, at: place)
        case "takes": try addTake(reader)
        default: try addTransaction(reader, at: place)
        }
      } catch {
        errors[name] = error
      }
    }
  }

  private func addCanvas(_ reader: JSONReader, at place: Range<Int>?) throws(ShapeError) {
    let canvas = try reader.canvas()
    canvases.append(canvas)
    if keepsPlaces { places.canvases.append(place) }
    kept.keep(reader.value, as: canvas)
  }

  private func addTake(_ reader: JSONReader) throws(ShapeError) {
    let canvas = try reader.member("canvas").canvasID()
    let take = try reader.keptTake()
    takes[canvas, default: []].append(take)
    kept.keep(reader.value, as: take, of: canvas)
  }

  private func addTransaction(_ reader: JSONReader, at place: Range<Int>?) throws(ShapeError) {
    let transaction = try reader.transaction()
    guard transaction.revision > transactions.last?.revision ?? 0 else { throw Self.outOfOrder(transaction) }
    transactions.append(transaction)
    // A history is bounded: when it is made of these, a step may take over answers.
    if let place { places.transactions[transaction.revision] = (transaction, place) }
    kept.keep(reader.value, as: transaction, isCopied: place != nil)
  }

  private static func outOfOrder(_ transaction: Transaction) -> ShapeError {
    ShapeError(description: "history has revision \(transaction.revision) out of order")
  }

  /// Returns the board, given the rest of the document.
  func board(_ reader: JSONReader) throws -> Board {
    _ = try reader.member("canvases").elements()
    if let error = errors["canvases"] { throw error }
    _ = try reader.optional("takes")?.elements()
    if let error = errors["takes"] { throw error }
    for index in canvases.indices { canvases[index].takes = takes.removeValue(forKey: canvases[index].id) ?? [] }
    if let stranger = takes.keys.first {
      throw ShapeError(description: "takes has the unknown canvas '\(stranger)'")
    }
    let snapshot = Snapshot(
      canvases: canvases,
      take: try reader.optional("take")?.take(),
      session: try reader.member("session").word(SessionName.self),
      coverSide: try reader.optional("coverSize")?.side()
    )
    let revision = try reader.member("revision").revision()
    _ = try reader.optional("history")?.elements()
    if let error = errors["history"] { throw error }
    if let last = transactions.last, last.revision > revision { throw Self.outOfOrder(last) }
    transactionsRead = transactions.count
    defer { (canvases, transactions) = ([], []) }
    return try Board(snapshot, revision: revision, history: History(transactions))
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

  /// Returns the side of a cover.
  func side() throws(ShapeError) -> Int {
    let side = try int()
    guard Board.coverSides.contains(side) else { throw error("is not from 1 to \(Board.coverSides.upperBound)") }
    return side
  }
}
