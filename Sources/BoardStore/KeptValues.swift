internal import CanvasModel

/// The members of a document that this version does not know, and the values that contain such members.
///
/// Clips, covers and regions are collected from the canvases and the history, and looked up by their known members, so
/// that a clip restored by an undo keeps its unknown members.
struct KeptValues {
  /// The unknown members of the document.
  private var document: [JSONObject.Member] = []
  /// The unknown members of each canvas.
  private var canvases: [CanvasID: [JSONObject.Member]] = [:]
  private var values: [CanvasID: [Value: JSON]] = [:]
  /// The unknown members of each canvas's region, which stay with the canvas when its place changes.
  private var regions: [CanvasID: [JSONObject.Member]] = [:]
  /// The open take, and its unknown members.
  private var take: (id: TakeID, members: [JSONObject.Member])?
  /// The transactions that would be written differently than they were read.
  private var transactions: [Int: JSONObject] = [:]

  // MARK: - Collecting

  /// Keeps what is unknown in a document, except for its canvases and its history.
  mutating func keep(document json: JSON, take: Take?) {
    document = Self.unknown(in: json, besides: BoardDocument.members)
    guard let take, let members = json["take"] else { return }
    let known: Set = ["id", "canvas", "segments", "interrupted", "owner"]
    self.take = (take.id, Self.unknown(in: members, besides: known))
  }

  mutating func keep(_ json: JSON, as canvas: Snapshot.Canvas) {
    let members = Self.unknown(in: json, besides: BoardDocument.canvasMembers)
    if !members.isEmpty { canvases[canvas.id] = members }
    if let region = json["region"], let known = Self.known[.region] {
      let members = Self.unknown(in: region, besides: known)
      if !members.isEmpty { regions[canvas.id] = members }
    }
    for key in Self.known.keys { keep(json[key.rawValue], key, of: canvas.id) }
  }

  mutating func keep(_ json: JSON, as transaction: Transaction) {
    guard case .object(let object) = json, JSON(transaction) != json else { return }
    transactions[transaction.revision] = object
    guard case .array(let changes) = json["changes"] else { return }
    for change in changes {
      guard case .string(let name) = change["key"], let key = Key(rawValue: name),
        case .string(let id) = change["canvas"], let canvas = CanvasID(id)
      else { continue }
      for value in [change["old"], change["new"]] { keep(value, key, of: canvas) }
    }
  }

  private static let known: [Key: Set<String>] = [
    .clip: ["path", "bytes", "mtimeNanoseconds", "durationSeconds", "generation"],
    .cover: ["state", "path", "width", "height", "actualTime", "reason"],
    .region: ["x", "y", "width", "height"],
  ]

  private mutating func keep(_ json: JSON?, _ key: Key, of canvas: CanvasID) {
    guard let json, let known = Self.known[key], !Self.unknown(in: json, besides: known).isEmpty,
      let value = try? JSONReader(json).value(of: key)
    else { return }
    values[canvas, default: [:]][value] = json
  }

  private static func unknown(in json: JSON, besides known: Set<String>) -> [JSONObject.Member] {
    guard case .object(let object) = json else { return [] }
    return object.members.filter { !known.contains($0.key) }
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

  /// The unknown members of the document.
  var documentMembers: [(key: String, value: JSON.LazyValue)] { document.map { ($0.key, .value($0.value)) } }

  /// Returns a value's JSON as it was read, or new JSON if the value was not read with unknown members.
  func json(_ value: Value, of canvas: CanvasID?) -> JSON {
    canvas.flatMap { values[$0]?[value] } ?? JSON(value)
  }

  /// Returns the JSON of a canvas's region, with its unknown members.
  func json(_ region: Region, of canvas: CanvasID) -> JSON {
    let json = json(.region(region), of: canvas)
    guard let members = regions[canvas], case .object(let object) = json, let known = Self.known[.region] else {
      return json
    }
    return .object(JSONObject((object.members.filter { known.contains($0.key) } + members).map { ($0.key, $0.value) }))
  }

  /// Returns the JSON of a canvas, with its unknown members.
  func json(_ members: [(String, JSON)], of canvas: CanvasID) -> JSON {
    .object(JSONObject(members + (canvases[canvas] ?? []).map { ($0.key, $0.value) }))
  }

  /// Returns the JSON of a take, with its unknown members.
  func json(_ take: Take) -> JSON {
    guard case .object(let object) = JSON(take), let kept = self.take, kept.id == take.id else { return JSON(take) }
    return .object(JSONObject((object.members + kept.members).map { ($0.key, $0.value) }))
  }

  /// Returns the JSON of a transaction.
  ///
  /// A transaction that was read from the file is written back unchanged, except for its covers.
  func json(_ transaction: Transaction) -> JSON {
    guard let object = transactions[transaction.revision] else {
      return JSON(transaction) { value, canvas in json(value, of: canvas) }
    }
    let covers = JSON.covers(of: transaction).map { [("covers", $0)] } ?? []
    return .object(object.replacing(["covers"], with: JSONObject(covers)))
  }
}
