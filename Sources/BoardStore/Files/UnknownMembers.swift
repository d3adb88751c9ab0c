internal import CanvasModel

/// The members of a document that this version does not know, and the values that contain such members.
///
/// Clips, covers and regions are collected from the canvases and the history, and looked up by their known members, so
/// that a clip restored by an undo keeps its unknown members.
struct UnknownMembers {
  /// An object as compact text, which takes far less memory than the same object as JSON.
  private struct Text {
    private let bytes: [UInt8]

    /// Takes the members of an object that are not known.
    ///
    /// - Returns: `nil` if all are known.
    init?(_ json: JSON, besides known: Set<String>) {
      guard case .object(let object) = json, object.hasMembers(besides: known) else { return nil }
      bytes = JSON.line(object.members.lazy.filter { !known.contains($0.key) })
    }

    init(_ object: JSONObject) { bytes = JSON.line(object.members) }

    var object: JSONObject {
      guard case .object(let object)? = try? JSON(parsing: bytes) else { preconditionFailure("text of an object") }
      return object
    }
  }

  /// The unknown members of the document.
  private(set) var documentMembers = JSONObject(sorted: [])
  /// The unknown members of each canvas.
  private var canvases: [CanvasID: Text] = [:]
  private var values: [CanvasID: [Value: Text]] = [:]
  /// The unknown members of each canvas's region, which stay with the canvas when its place changes.
  private var regions: [CanvasID: Text] = [:]
  /// The open take, and its unknown members.
  private var take: (id: TakeID, members: Text)?
  /// The transactions that would be written differently than they were read.
  private var transactions: [Int: Text] = [:]

  // MARK: - Collecting

  /// Keeps what is unknown in a document, except for its canvases and its history.
  mutating func keep(document json: JSON, take: Take?) {
    if case .object(let object) = json {
      documentMembers = object.removing(BoardDocument.members)
    }
    let known: Set = ["id", "canvas", "segments", "interrupted", "owner"]
    guard let take, let json = json["take"], let members = Text(json, besides: known) else { return }
    self.take = (take.id, members)
  }

  mutating func keep(_ json: JSON, as canvas: Snapshot.Canvas) {
    canvases[canvas.id] = Text(json, besides: BoardDocument.canvasMembers)
    if let region = json["region"], let known = Self.known[.region] {
      regions[canvas.id] = Text(region, besides: known)
    }
    for key in [Key.clip, .cover, .region] { keep(json[key.rawValue], key, of: canvas.id) }
  }

  mutating func keep(_ json: JSON, as take: KeptTake, of canvas: CanvasID) {
    guard case .object(let object) = json else { return }
    keep(.object(object.removing(["canvas"])), .takes, of: canvas)
  }

  /// Keeps what is unknown in a transaction.
  ///
  /// - Parameters:
  ///   - json: The transaction as it was read.
  ///   - transaction: The transaction.
  ///   - isCopied: Whether it is copied from the text that was read, so that only the values in it are kept.
  mutating func keep(_ json: JSON, as transaction: Transaction, isCopied: Bool) {
    if !isCopied, case .object(let object) = json, JSON(transaction) != json {
      transactions[transaction.revision] = Text(object)
    }
    guard case .array(let changes) = json["changes"] else { return }
    for change in changes {
      guard case .string(let name) = change["key"], let key = Key(rawValue: name), Self.known[key] != nil,
        case .string(let id) = change["canvas"], let canvas = CanvasID(id)
      else { continue }
      for value in [change["old"], change["new"]] { keep(value, key, of: canvas) }
    }
  }

  private static let known: [Key: Set<String>] = [
    .clip: ["path", "bytes", "mtimeNanoseconds", "durationSeconds", "generation", "from", "to"],
    .cover: ["state", "path", "width", "height", "actualTime", "reason"],
    .takes: ["clip", "cover"],
    .region: ["x", "y", "width", "height"],
  ]

  private mutating func keep(_ json: JSON?, _ key: Key, of canvas: CanvasID) {
    if key == .takes, let json {
      keep(json["clip"], .clip, of: canvas)
      keep(json["cover"], .cover, of: canvas)
    }
    guard case .object(let object)? = json, let json, let known = Self.known[key],
      object.hasMembers(besides: known), let value = try? JSONReader(json).value(of: key)
    else { return }
    values[canvas, default: [:]][value] = Text(object)
    // They stay with the file when another part of it is played.
    if case .clip(let clip) = value { values[canvas, default: [:]][clip.ofAnyPart] = Text(object) }
  }

  /// Follows a renaming of canvases.
  mutating func rename(_ names: [CanvasID: CanvasID]) {
    func renamed<Kept>(_ kept: [CanvasID: Kept]) -> [CanvasID: Kept] {
      Dictionary(kept.map { (names[$0] ?? $0, $1) }) { first, _ in first }
    }
    (canvases, values, regions) = (renamed(canvases), renamed(values), renamed(regions))
    // They contain the old names, so new JSON is written for them.
    transactions = [:]
  }

  // MARK: - Writing

  /// Returns a value's JSON as it was read, or new JSON if the value was not read with unknown members.
  func json(_ value: Value, of canvas: CanvasID?) -> JSON {
    guard let canvas, let known = values[canvas] else { return JSON(value) }
    if let text = known[value] { return .object(text.object) }
    switch value {
    case .clip(let clip):
      guard let text = known[clip.ofAnyPart], let members = Self.known[.clip], case .object(let new) = JSON(value)
      else {
        return JSON(value)
      }
      return .object(text.object.replacing(members, with: new))
    case .keptTake(let take): return .object(JSONObject(members(of: take, canvas)))
    default: return JSON(value)
    }
  }

  private func members(of take: KeptTake, _ canvas: CanvasID) -> [(String, JSON)] {
    [("clip", json(.clip(take.clip), of: canvas)), ("cover", json(.cover(take.cover), of: canvas))]
  }

  /// Returns the JSON of a take in the list of all takes.
  func json(_ take: KeptTake, of canvas: CanvasID) -> JSON {
    let id = ("canvas", JSON.string(canvas.description))
    guard case .object(let object) = json(.keptTake(take), of: canvas) else { return JSON(take) }
    return .object(JSONObject(object.members.map { ($0.key, $0.value) } + [id]))
  }

  /// Returns the JSON of a canvas's region, with its unknown members.
  func json(_ region: Region, of canvas: CanvasID) -> JSON {
    let whole = json(.region(region), of: canvas)
    guard let kept = regions[canvas], case .object(let object) = whole, let known = Self.known[.region] else {
      return whole
    }
    return json(object.members.filter { known.contains($0.key) }, with: kept)
  }

  /// Returns the JSON of a canvas, with its unknown members.
  func json(_ members: [(String, JSON)], of canvas: CanvasID) -> JSON {
    let object = JSONObject(members)
    return canvases[canvas].map { json(object.members, with: $0) } ?? .object(object)
  }

  private func json(_ members: [JSONObject.Member], with kept: Text) -> JSON {
    var object = kept.object
    object.add(members)
    return .object(object)
  }

  /// Returns the JSON of a take, with its unknown members.
  func json(_ take: Take) -> JSON {
    guard case .object(let object) = JSON(take), let kept = self.take, kept.id == take.id else { return JSON(take) }
    return json(object.members, with: kept.members)
  }

  /// Returns the JSON of a transaction.
  ///
  /// A transaction that was read from the file is written back unchanged, except for its covers.
  func json(_ transaction: Transaction) -> JSON {
    guard let text = transactions[transaction.revision] else {
      return JSON(transaction) { value, canvas in json(value, of: canvas) }
    }
    return json(transaction, writtenAs: text.object)
  }

  /// Returns the JSON of a transaction that changed only in its covers.
  func json(_ transaction: Transaction, writtenAs object: JSONObject) -> JSON {
    let covers = JSON.covers(of: transaction).map { [("covers", $0)] } ?? []
    return .object(object.replacing(["covers"], with: JSONObject(covers)))
  }
}

extension Clip {
  /// The value of a clip with this file, whatever is played of it.
  fileprivate var ofAnyPart: Value { .clip(Clip(file: file, generation: 0)) }
}
