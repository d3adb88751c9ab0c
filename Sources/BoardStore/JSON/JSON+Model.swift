package import CanvasModel

// JSON for the parts of a board, as used in the document, in the history and in event lines.

extension JSONReader {
  func canvasID() throws(ShapeError) -> CanvasID { try made(CanvasID(try string()), "is empty") }

  func takeID() throws(ShapeError) -> TakeID { try made(TakeID(try string()), "is empty") }

  func instant() throws(ShapeError) -> Instant {
    try made(Instant(secondsSince1970: try double()), "is not a point in time")
  }

  func region() throws(ShapeError) -> Region {
    let region = Region(
      x: try member("x").double(),
      y: try member("y").double(),
      width: try member("width").double(),
      height: try member("height").double()
    )
    return try made(region, "does not lie inside 0…1, or has no size")
  }

  func clipFile() throws(ShapeError) -> ClipFile {
    let file = ClipFile(
      path: try member("path").string(),
      bytes: try optional("bytes")?.count(),
      mtimeNanoseconds: try optional("mtimeNanoseconds")?.int(),
      durationSeconds: try optional("durationSeconds")?.double()
    )
    return try made(file, "has an empty path")
  }

  func clip() throws(ShapeError) -> Clip {
    Clip(file: try clipFile(), generation: try member("generation").revision(), trim: try trim())
  }

  /// Returns the part of a clip that is played, from the members `from` and `to`; `nil` without them.
  func trim() throws(ShapeError) -> Trim? {
    let (from, to) = (try optional("from")?.double(), try optional("to")?.double())
    guard from != nil || to != nil else { return nil }
    return try made(Trim(from: from ?? 0, to: to), "has no part of a clip: to must be above from, which is 0 or more")
  }

  func keptTake() throws(ShapeError) -> KeptTake {
    KeptTake(clip: try member("clip").clip(), cover: try member("cover").cover())
  }

  func coverFile() throws(ShapeError) -> CoverFile {
    let file = CoverFile(
      path: try member("path").string(),
      width: try optional("width")?.count(),
      height: try optional("height")?.count(),
      actualTime: try optional("actualTime")?.double()
    )
    return try made(file, "has an empty path")
  }

  func cover() throws(ShapeError) -> Cover {
    switch try member("state").word(CoverName.self) {
    case .none: .none
    case .pending: .pending
    case .ready: .ready(try coverFile())
    case .failed: .failed(reason: try member("reason").string())
    }
  }

  func take() throws(ShapeError) -> Take {
    Take(
      id: try member("id").takeID(),
      canvas: try member("canvas").canvasID(),
      segments: try segments(),
      interruption: try optional("interrupted")?.string(),
      owner: try optional("owner")?.owner()
    )
  }

  private func segments() throws(ShapeError) -> [Take.Segment] {
    var segments: [Take.Segment] = []
    for segment in try member("segments").elements() {
      segments.append(
        Take.Segment(start: try segment.member("start").instant(), end: try segment.optional("end")?.instant())
      )
    }
    return segments
  }

  func owner() throws(ShapeError) -> Take.Owner {
    Take.Owner(
      processID: try member("processID").count(),
      startTicks: try member("startTicks").count(),
      bootID: try member("bootID").string()
    )
  }

  func change() throws(ShapeError) -> Change {
    let key = try member("key").word(Key.self)
    return Change(
      canvas: try optional("canvas")?.canvasID(),
      key: key,
      old: try optional("old")?.value(of: key) ?? .none,
      new: try optional("new")?.value(of: key) ?? .none
    )
  }

  func value(of key: Key) throws(ShapeError) -> Value {
    switch key {
    case .isSelected: .isSelected(try bool())
    case .status: .status(try word(Status.self))
    case .clip: .clip(try clip())
    case .cover: .cover(try cover())
    case .takes: .keptTake(try keptTake())
    case .region: .region(try region())
    case .position: .position(try count())
    case .canvases: .canvases(try canvasIDs())
    case .take: .take(try take())
    case .session: .session(try word(SessionName.self))
    }
  }

  private func canvasIDs() throws(ShapeError) -> [CanvasID] {
    var ids: [CanvasID] = []
    for element in try elements() { ids.append(try element.canvasID()) }
    return ids
  }

  func transaction() throws(ShapeError) -> Transaction {
    var changes: [Change] = []
    for change in try member("changes").elements() { changes.append(try change.change()) }
    return Transaction(
      revision: try member("revision").revision(),
      at: try member("at").instant(),
      kind: try kind(),
      isLocked: try optional("locked")?.bool() ?? false,
      changes: changes,
      events: try events(),
      covers: try covers()
    )
  }

  /// Returns the events with their arguments; none if any is of a kind that this version does not know.
  private func events() throws(ShapeError) -> [Event] {
    var events: [Event] = []
    for element in try optional("sent")?.elements() ?? [] {
      guard let event = try? element.event() else { return [] }
      events.append(event)
    }
    return events
  }

  private func covers() throws(ShapeError) -> [CanvasID: Cover] {
    guard let covers = try optional("covers"), case .object(let object) = covers.value else { return [:] }
    var result: [CanvasID: Cover] = [:]
    for member in object.members {
      let id = try covers.made(CanvasID(member.key), "has an empty name")
      result[id] = try JSONReader(member.value, at: .member(member.key, of: covers.place)).cover()
    }
    return result
  }

  private func kind() throws(ShapeError) -> Transaction.Kind {
    if let name = try optional("undoes")?.count() { return .undo(name) }
    if let name = try optional("redoes")?.count() { return .redo(name) }
    var names: [EventName] = []
    for element in try member("events").elements() { names.append(try element.word(EventName.self)) }
    return try optional("step")?.bool() ?? true ? .step(names) : .answers(names)
  }
}

extension JSON {
  init(_ region: Region) {
    self = .object([
      "x": JSON(region.x), "y": JSON(region.y), "width": JSON(region.width), "height": JSON(region.height),
    ])
  }

  init(_ file: ClipFile) { self = .object(JSONObject(Self.members(of: file))) }

  /// Creates the JSON of a clip, with the part that is played.
  package init(_ clip: Clip) {
    let generation = [("generation", JSON(clip.generation))]
    self = .object(JSONObject(Self.members(of: clip.file) + generation + Self.members(of: clip.trim)))
  }

  /// Returns the members that the part of a clip adds to the clip, or to the event that sets it.
  static func members(of trim: Trim?) -> [(String, JSON)] {
    guard let trim else { return [] }
    return [("from", JSON(trim.from))] + (trim.to.map { [("to", JSON($0))] } ?? [])
  }

  init(_ take: KeptTake) { self = .object(["clip": JSON(take.clip), "cover": JSON(take.cover)]) }

  private static func members(of file: ClipFile) -> [(String, JSON)] {
    [
      ("path", .string(file.path)),
      ("bytes", file.bytes.map { JSON($0) }),
      ("mtimeNanoseconds", file.mtimeNanoseconds.map { JSON($0) }),
      ("durationSeconds", file.durationSeconds.map { JSON($0) }),
    ].compactMap { key, value in value.map { (key, $0) } }
  }

  init(_ file: CoverFile) { self = .object(JSONObject(Self.members(of: file))) }

  private static func members(of file: CoverFile) -> [(String, JSON)] {
    [
      ("path", .string(file.path)),
      ("width", file.width.map { JSON($0) }),
      ("height", file.height.map { JSON($0) }),
      ("actualTime", file.actualTime.map { JSON($0) }),
    ].compactMap { key, value in value.map { (key, $0) } }
  }

  /// Creates the JSON of the state of a cover.
  package init(_ cover: Cover) {
    let state = ("state", JSON.string(cover.name.rawValue))
    switch cover {
    case .none, .pending: self = .object(JSONObject([state]))
    case .ready(let file): self = .object(JSONObject([state] + Self.members(of: file)))
    case .failed(let reason): self = .object(JSONObject([state, ("reason", .string(reason))]))
    }
  }

  init(_ owner: Take.Owner) {
    self = .object([
      "processID": JSON(owner.processID), "startTicks": JSON(owner.startTicks), "bootID": .string(owner.bootID),
    ])
  }

  init(_ take: Take) {
    self = .object([
      "id": .string(take.id.description),
      "canvas": .string(take.canvas.description),
      "segments": .array(
        take.segments.map { segment in
          .object(["start": JSON(segment.start), "end": segment.end.map { JSON($0) }])
        }
      ),
      "interrupted": take.interruption.map { .string($0) },
      "owner": take.owner.map { JSON($0) },
    ])
  }

  init(_ instant: Instant) { self.init(instant.secondsSince1970) }

  init(_ value: Value) {
    switch value {
    case .none: self = .null
    case .isSelected(let isSelected): self = .bool(isSelected)
    case .status(let status): self = .string(status.rawValue)
    case .clip(let clip): self.init(clip)
    case .cover(let cover): self.init(cover)
    case .keptTake(let take): self.init(take)
    case .region(let region): self.init(region)
    case .position(let index): self.init(index)
    case .canvases(let ids): self = .array(ids.map { .string($0.description) })
    case .take(let take): self.init(take)
    case .session(let session): self = .string(session.rawValue)
    }
  }

  /// Creates the JSON of a change; a change of the board itself has no `canvas` member.
  package init(_ change: Change) { self.init(change) { value, _ in JSON(value) } }

  private init(_ change: Change, value: (Value, CanvasID?) -> JSON) {
    self = .object([
      "canvas": change.canvas.map { .string($0.description) },
      "key": .string(change.key.rawValue),
      "old": value(change.old, change.canvas),
      "new": value(change.new, change.canvas),
    ])
  }

  /// Creates the JSON of the covers of a transaction, by canvas; `nil` without covers.
  static func covers(of transaction: Transaction) -> JSON? {
    guard !transaction.covers.isEmpty else { return nil }
    return .object(JSONObject(transaction.covers.map { ($0.key.description, JSON($0.value)) }))
  }

  /// Creates the JSON of a transaction, as stored in the document's history.
  package init(_ transaction: Transaction) { self.init(transaction) { value, _ in JSON(value) } }

  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - value: A closure that returns the JSON of a value of a canvas, or of the board for `nil`.
  init(_ transaction: Transaction, value: (Value, CanvasID?) -> JSON) {
    var members: [(String, JSON)] = [
      ("revision", JSON(transaction.revision)),
      ("at", JSON(transaction.at)),
      ("changes", .array(transaction.changes.map { JSON($0, value: value) })),
    ]
    if !transaction.events.isEmpty { members.append(("sent", .array(transaction.events.map { JSON($0) }))) }
    if let covers = JSON.covers(of: transaction) { members.append(("covers", covers)) }
    if transaction.isLocked { members.append(("locked", .bool(true))) }
    switch transaction.kind {
    case .step(let names): members.append(("events", JSON(names)))
    case .answers(let names): members += [("events", JSON(names)), ("step", .bool(false))]
    case .undo(let revision): members.append(("undoes", JSON(revision)))
    case .redo(let revision): members.append(("redoes", JSON(revision)))
    }
    self = .object(JSONObject(members))
  }

  private init(_ names: [EventName]) { self = .array(names.map { .string($0.rawValue) }) }
}
