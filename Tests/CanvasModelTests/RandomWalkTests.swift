import CanvasModel
import TestSupport
import Testing

@Suite("Random walk")
struct RandomWalkTests {
  private static let steps = LongForm.isWanted ? 150_000 : 30_000

  @Test(
    "Every step of a random walk agrees with an independent reference",
    .enabled(if: Scope.isFull),
    arguments: [1, 2, 3, 4] as [UInt64]
  )
  func walk(seed: UInt64) {
    var walk = Walk(seed: seed)
    for _ in 0..<Self.steps where walk.faults.isEmpty { walk.step() }
    #expect(walk.faults == [])
    #expect(walk.counts.keys.count == EventName.allCases.count)
    // Each event must have changed something; otherwise the walk proves nothing.
    #expect(walk.counts.values.allSatisfy { $0 >= Self.steps / 1500 }, "\(walk.counts)")
    #expect(walk.takesOnMovedCanvases > 10 && walk.endsOfHistory > 10 && walk.badParts > 0)
  }
}

/// A board that starts with four canvases, and the data for checking it.
private struct Walk {
  var board = Board(columns: 2, rows: 2)
  var faults: [String] = []
  /// The number of times that each event changed something.
  var counts: [EventName: Int] = [:]
  var takesOnMovedCanvases = 0
  /// The number of parts that were refused because they are not in the clip.
  var badParts = 0
  /// The number of undos that found nothing although steps remained: they were no longer in the history.
  var endsOfHistory = 0

  private var random: Seeded
  private var oracle = UndoOracle()
  private var picture: BoardPicture
  /// The number of undos and redos left in the current run, and how many out of ten are undos.
  private var undoing = 0
  private var undosOfTen = 0
  /// The number of answers about covers left in the current run.
  private var answering = 0
  private var takes = 0
  private var clips = 0
  /// The canvas and path of the clip with each assigned generation.
  private var given: [Int: String] = [:]
  private var newestGeneration = 0

  init(seed: UInt64) {
    random = Seeded(seed)
    picture = BoardPicture(board)
  }

  mutating func step() {
    let event = nextEvent()
    let before = board
    let (undo, redo) = (oracle.undoTarget(), oracle.redoTarget())
    switch board.apply(event, at: Parts.at(Double(Int.random(in: 0...1000, using: &random)))) {
    case .changed(let revision, let changes):
      counts[event.name, default: 0] += 1
      expect(revision == before.revision + 1 && board.revision == revision, "one revision more", event)
      checkChanges(changes, before, event)
      oracle.note(event.name, from: before, to: board)
      if event == .undo { expect(Snapshot(board) == undo, "undo leads to the reference's state", event) }
      if event == .redo { expect(Snapshot(board) == redo, "redo leads to the reference's state", event) }
      if event == .undo || event == .redo { expect(!board.isLocked, "undo leads into no recording", event) }
    case .noop(let reason):
      expect(board == before, "a noop leaves the board alone", event)
      if event == .undo { expect(reason == .nothing && undo == nil, "there is nothing to undo", event) }
      if event == .undo, oracle.hasSteps { endsOfHistory += 1 }
      if event == .redo { expect(reason == .nothing && redo == nil, "there is nothing to redo", event) }
    case .refused(let reason):
      expect(board == before, "a refusal leaves the board alone", event)
      if reason == .badTrim { badParts += 1 }
    }
    checkIdentity(before, event)
    checkTakes(before, event)
    for broken in Invariants.broken(by: board) { expect(false, broken, event) }
  }

  private mutating func expect(_ holds: Bool, _ what: String, _ event: Event) {
    if !holds { faults.append("revision \(board.revision), \(event): \(what)") }
  }

  private mutating func checkChanges(_ changes: [Change], _ before: Board, _ event: Event) {
    let old = picture
    expect(picture.play(changes) && picture == BoardPicture(board), "the changes make the new board", event)
    var back = picture
    expect(back.playBackwards(changes) && back == old, "and backwards the old one", event)
    let places = Set(changes.map { "\($0.canvas?.description ?? "") \($0.key) \($0.takePath ?? "")" })
    expect(places.count == changes.count, "each key is reported once", event)
  }

  /// Checks that focus, take and clips stay with their canvases, and that new clips have new generations.
  private mutating func checkIdentity(_ before: Board, _ event: Event) {
    if event.name == .moveCanvas {
      expect(board.session == before.session, "focus and take follow the canvas", event)
      expect(Set(board.canvases) == Set(before.canvases), "clips follow the canvas", event)
    }
    if case .takeFinished = event, board != before, let take = before.session.take {
      let changed = board.canvases.filter { $0.clip != before[$0.id]?.clip }.map(\.id)
      expect(changed == [take.canvas], "the clip is attached to the take's canvas", event)
      if board.canvases.first?.id != CanvasID(number: 1) { takesOnMovedCanvases += 1 }
    }
    for canvas in board.canvases {
      guard let clip = canvas.clip, clip != before[canvas.id]?.clip else { continue }
      if let path = given[clip.generation] {
        expect(path == "\(canvas.id) \(clip.file.path)", "a generation is of one clip", event)
        let canBringBack = [.undo, .redo, .useTake].contains(event.name)
        expect(canBringBack, "only an undo, a redo or the use of a take brings a clip back", event)
      } else {
        expect(clip.generation > newestGeneration && clip.generation == board.revision, "a generation is new", event)
        given[clip.generation] = "\(canvas.id) \(clip.file.path)"
        newestGeneration = clip.generation
      }
    }
  }

  /// Checks that a clip that leaves its canvas becomes a take, and that takes leave only when they are used or removed.
  private mutating func checkTakes(_ before: Board, _ event: Event) {
    guard event != .undo, event != .redo else { return }
    for canvas in board.canvases {
      let old = before[canvas.id]
      var takes = Dictionary(old?.takes.map { ($0.clip.file.path, $0) } ?? []) { first, _ in first }
      if let clip = old?.clip { takes[clip.file.path] = KeptTake(clip: clip, cover: old?.cover ?? .none) }
      if let clip = canvas.clip { takes[clip.file.path] = nil }
      if case .removeTake(canvas.id, let number) = event, board.revision > before.revision {
        takes = takes.filter { $1.clip.generation != number }
      }
      expect(Set(canvas.takes) == Set(takes.values), "the takes of \(canvas.id)", event)
      guard let clip = canvas.clip, clip != old?.clip else { continue }
      switch event {
      case .trimClip(_, let trim):
        expect(clip.trim == trim && clip.file == old?.clip?.file, "the part is played", event)
        let seconds = clip.file.durationSeconds ?? .infinity
        expect(trim.map { $0.from < seconds && ($0.to ?? 0) <= seconds } ?? true, "the part is in the clip", event)
      case .useTake(_, let number): expect(clip.generation == number, "the take is used", event)
      default: expect(clip.trim == nil, "a new clip is whole", event)
      }
    }
  }

  // MARK: - Events

  private mutating func nextEvent() -> Event {
    // Long runs of undos and redos, so that some reach the end of the history.
    if chance(1, of: 60) {
      undoing = Int.random(in: 1...150, using: &random)
      undosOfTen = Int.random(in: 1...9, using: &random)
    }
    if undoing > 0, !board.isLocked {
      undoing -= 1
      return chance(undosOfTen, of: 10) ? .undo : .redo
    }
    // Runs of more answers than the history keeps, while there are older clips to return to.
    if chance(1, of: 400) { answering = Int.random(in: 100...250, using: &random) }
    if answering > 0 {
      answering -= 1
      return answer()
    }
    return board.isLocked && chance(1, of: 3) ? recorderEvent() : anyEvent()
  }

  private mutating func chance(_ share: Int, of all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < share }

  private mutating func canvas() -> CanvasID {
    chance(1, of: 30) ? stranger : CanvasID(number: Int.random(in: 1...5, using: &random))
  }

  private mutating func nextClip() -> ClipFile {
    clips += 1
    return Parts.clip("clip-\(clips)", seconds: clips % 2 == 0 ? 3 : nil)
  }

  /// Returns the number of one of the takes of a canvas, or now and then none.
  private mutating func takeNumber(of canvas: CanvasID) -> Int? {
    chance(1, of: 10) ? nil : board[canvas]?.takes.randomElement(using: &random)?.clip.generation
  }

  private mutating func take() -> TakeID {
    chance(1, of: 8) ? Parts.take(takes + 1) : board.session.take?.id ?? Parts.take(takes)
  }

  private mutating func start() -> Event {
    takes += 1
    return .recordStart(take: Parts.take(takes), replace: chance(2, of: 3))
  }

  private mutating func recorderEvent() -> Event {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: .recordPause
    case 2, 3: .recordResume()
    case 4, 5: .recordStop
    case 6: .recordDiscard
    case 7: .takeFailed(take(), reason: "unplugged")
    default: .takeFinished(take(), nextClip())
    }
  }

  /// Returns an answer about the cover of a canvas with a clip, if there is one.
  private mutating func answer() -> Event {
    guard let canvas = board.canvases.filter({ $0.clip != nil }).randomElement(using: &random) else {
      return .coverRetry(c1)
    }
    guard canvas.cover == .pending else { return .coverRetry(canvas.id) }
    let generation = canvas.clip?.generation ?? 0
    return chance(1, of: 2)
      ? .coverReady(canvas.id, generation: generation, Parts.cover("\(canvas.id)-\(board.revision)"))
      : .coverFailed(canvas.id, generation: generation, reason: "dark \(board.revision)")
  }

  private mutating func anyEvent() -> Event {
    let id = canvas()
    let generation = chance(1, of: 6) ? Int.random(in: 0...board.revision, using: &random) : board.generation(of: id)
    switch Int.random(in: 0..<30, using: &random) {
    case 0, 1, 2: return .tap(id)
    case 3: return .select(id)
    case 4: return .deselect
    case 5: return .preview(id)
    case 6: return .stopPreview
    case 7, 8: return start()
    case 9: return recorderEvent()
    case 10, 11: return .importClip(id, nextClip(), replace: chance(1, of: 2))
    case 12: return .removeClip(id)
    case 13, 14: return .coverReady(id, generation: generation, Parts.cover("\(id)-\(board.revision)"))
    case 15: return .coverFailed(id, generation: generation, reason: "dark \(board.revision)")
    case 16: return .coverRetry(id)
    case 17: return id == stranger ? .addCanvas(c1) : .addCanvas(id)
    case 18: return .removeCanvas(id)
    case 19, 20: return .moveCanvas(id, to: Int.random(in: -1...5, using: &random))
    case 21:
      let from = Double(Int.random(in: 0...2, using: &random))
      let to = chance(1, of: 2) ? nil : from + Double(Int.random(in: 1...3, using: &random))
      return .trimClip(id, chance(1, of: 4) ? nil : Trim(from: from, to: to))
    case 22, 23, 24: return .useTake(id, generation: takeNumber(of: id) ?? generation)
    case 25, 26: return .removeTake(id, generation: takeNumber(of: id) ?? generation)
    case 27: return recorderEvent()
    case 28: return .undo
    default: return .redo
    }
  }
}
