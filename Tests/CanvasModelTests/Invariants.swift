import CanvasModel

/// The invariants of a board, stated independently of the implementation.
enum Invariants {
  /// Returns the invariants that a board violates, in words.
  static func broken(by board: Board) -> [String] {
    let snapshot = Snapshot(board)
    let (focus, session) = (board.session.focus, board.session.name)
    let isLocked = [.recording, .paused, .finalizing].contains(session)
    var broken = snapshot.problems
    func check(_ holds: Bool, _ what: String) { if !holds { broken.append(what) } }

    check(snapshot.canvases.filter(\.isSelected).count <= 1, "two are selected")
    check(snapshot.canvases.filter { $0.status != .noPreview }.count <= 1, "two are not without preview")
    check((focus == nil) == (session == .idle), "the focus is empty exactly when idle")
    check(
      snapshot.canvases.filter(\.isSelected).map(\.id) == [focus].compactMap(\.self),
      "the focus is the selected one"
    )
    check(board.isLocked == isLocked && (board.session.take != nil) == isLocked, "a take exactly when locked")
    check(board.session.take.map { $0.canvas == focus } ?? true, "the take is on the focus")
    for (canvas, picture) in zip(board.canvases, snapshot.canvases) {
      let shown = board.shows(canvas)
      let isPlaying = session == .recording && canvas.id != focus && canvas.clip != nil
      check((shown == .plus) == (canvas.clip == nil && picture.status == .noPreview), "\(canvas.id): a plus")
      check((shown == .playing) == isPlaying, "\(canvas.id): playing")
      check((picture.status == .recording) == (isLocked && canvas.id == focus), "\(canvas.id): recording")
      check(
        (picture.status == .inPreview) == (session == .previewing && canvas.id == focus),
        "\(canvas.id): in preview"
      )
      check((canvas.clip == nil) == (canvas.cover == .none), "\(canvas.id): a cover exactly with a clip")
      check(canvas.clip.map { 1...max(1, board.revision) ~= $0.generation } ?? true, "\(canvas.id): its generation")
      let files = canvas.takes.map(\.clip.file.path)
      check(Set(files).count == files.count, "\(canvas.id): each take has another file")
      check(canvas.clip.map { !files.contains($0.file.path) } ?? true, "\(canvas.id): its clip is not among its takes")
      let numbers = canvas.takes.map(\.clip.generation)
      check(numbers == numbers.sorted() && numbers.last ?? 0 <= board.revision, "\(canvas.id): the order of its takes")
      check(canvas.takes.allSatisfy { $0.cover != .none }, "\(canvas.id): covers of its takes")
      let region = canvas.region
      check(region.width > 0 && region.height > 0 && region.x >= 0 && region.y >= 0, "\(canvas.id): its region")
      check(region.x + region.width <= 1.000_001 && region.y + region.height <= 1.000_001, "\(canvas.id): its region")
    }
    let copy = try? Board(snapshot, revision: board.revision, history: board.history)
    check(copy == board, "a snapshot makes the same board")
    if isLocked {
      var copy = board
      check(copy.send(.recordDiscard)[0].isChanged && !copy.isLocked, "discarding leads out")
    }
    return broken
  }
}
