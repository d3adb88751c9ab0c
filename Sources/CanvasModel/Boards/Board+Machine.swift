/// The result of one event inside a transaction.
enum EventResult {
  case done
  case noop(Reason)
  case refused(Reason)
}

/// The state machine: what every event does in every state.
extension Board {
  /// Applies an event; the board is unchanged unless the result is `done`.
  mutating func perform(_ event: Event, at instant: Instant) -> EventResult {
    if let subject = event.subject, index(of: subject) == nil { return .refused(.unknownCanvas) }
    switch event {
    case .tap(let canvas): return tap(canvas)
    case .select(let canvas): return select(canvas)
    case .deselect: return deselect()
    case .preview(let canvas): return preview(canvas)
    case .stopPreview: return stopPreview()
    case .recordStart(let take, let replace, let owner):
      return recordStart(take, replace: replace, owner: owner, at: instant)
    case .recordPause: return recordPause(at: instant)
    case .recordResume(let owner): return recordResume(owner: owner, at: instant)
    case .recordStop: return recordStop(at: instant)
    case .recordDiscard: return recordDiscard()
    case .takeFinished(let take, let file): return takeFinished(take, file)
    case .takeFailed(let take, let reason): return takeFailed(take, reason: reason, at: instant)
    case .importClip(let canvas, let file, let replace): return importClip(canvas, file, replace: replace)
    case .removeClip(let canvas): return removeClip(canvas)
    case .trimClip(let canvas, let trim): return trimClip(canvas, trim)
    case .useTake(let canvas, let generation): return useTake(canvas, generation)
    case .removeTake(let canvas, let generation): return removeTake(canvas, generation)
    case .coverReady(let canvas, let generation, let file): return setCover(canvas, generation, .ready(file))
    case .coverFailed(let canvas, let generation, let reason):
      return setCover(canvas, generation, .failed(reason: reason))
    case .coverRetry(let canvas): return coverRetry(canvas)
    case .addCanvas(let canvas, let region): return addCanvas(canvas, region)
    case .removeCanvas(let canvas): return removeCanvas(canvas)
    case .moveCanvas(let canvas, let position): return moveCanvas(canvas, to: position)
    // Inside a transaction there is not yet a revision to undo; see `apply(_:)`.
    case .undo, .redo: return .refused(isLocked ? .locked : .nothing)
    }
  }

  /// Switches to another session.
  private mutating func go(to session: Session) -> EventResult {
    guard session != self.session else { return .noop(.already) }
    self.session = session
    return .done
  }

  // MARK: - Focus and preview

  private mutating func tap(_ canvas: CanvasID) -> EventResult {
    switch session {
    case .idle: return go(to: .previewing(canvas))
    case .selected: return go(to: .previewing(canvas))
    case .previewing(let focus): return go(to: canvas == focus ? .idle : .previewing(canvas))
    case .recording, .paused, .finalizing: return .noop(.locked)
    }
  }

  private mutating func select(_ canvas: CanvasID) -> EventResult {
    switch session {
    case .idle: return go(to: .selected(canvas))
    case .selected(let focus), .previewing(let focus):
      return canvas == focus ? .noop(.already) : go(to: .selected(canvas))
    case .recording, .paused, .finalizing: return .noop(.locked)
    }
  }

  private mutating func deselect() -> EventResult {
    switch session {
    case .idle, .selected, .previewing: return go(to: .idle)
    case .recording, .paused, .finalizing: return .noop(.locked)
    }
  }

  private mutating func preview(_ canvas: CanvasID) -> EventResult {
    switch session {
    case .idle, .selected, .previewing: return go(to: .previewing(canvas))
    case .recording, .paused, .finalizing: return .noop(.locked)
    }
  }

  private mutating func stopPreview() -> EventResult {
    switch session {
    case .idle, .selected: return .noop(.already)
    case .previewing(let focus): return go(to: .selected(focus))
    case .recording, .paused, .finalizing: return .noop(.locked)
    }
  }

  // MARK: - Recording

  private mutating func recordStart(
    _ id: TakeID,
    replace: Bool,
    owner: Take.Owner?,
    at instant: Instant
  ) -> EventResult {
    switch session {
    case .idle, .selected: return .refused(.notPreviewing)
    case .previewing(let focus):
      guard self[focus]?.clip == nil || replace else { return .refused(.hasClip) }
      return go(to: .recording(Take(id: id, canvas: focus, segments: [.init(start: instant)], owner: owner)))
    case .recording, .paused, .finalizing: return .refused(.locked)
    }
  }

  private mutating func recordPause(at instant: Instant) -> EventResult {
    switch session {
    case .idle, .selected, .previewing: return .refused(.notRecording)
    case .recording(var take):
      take.closeSegment(at: instant)
      return go(to: .paused(take))
    case .paused: return .noop(.already)
    case .finalizing: return .refused(.finalizing)
    }
  }

  private mutating func recordResume(owner: Take.Owner?, at instant: Instant) -> EventResult {
    switch session {
    case .idle, .selected, .previewing: return .refused(.notRecording)
    case .recording: return .noop(.already)
    case .paused(var take):
      take.openSegment(at: instant)
      // The process that owned an interrupted take may be gone, so it does not own the rest of the take.
      take.owner = owner ?? (take.interruption == nil ? take.owner : nil)
      take.interruption = nil
      return go(to: .recording(take))
    case .finalizing: return .refused(.finalizing)
    }
  }

  private mutating func recordStop(at instant: Instant) -> EventResult {
    switch session {
    case .idle, .selected, .previewing: return .refused(.notRecording)
    case .recording(var take), .paused(var take):
      take.closeSegment(at: instant)
      return go(to: .finalizing(take))
    case .finalizing: return .noop(.already)
    }
  }

  private mutating func recordDiscard() -> EventResult {
    switch session {
    case .idle, .selected, .previewing: return .refused(.notRecording)
    case .recording(let take), .paused(let take), .finalizing(let take): return go(to: .previewing(take.canvas))
    }
  }

  private mutating func takeFinished(_ id: TakeID, _ file: ClipFile) -> EventResult {
    switch session {
    case .idle, .selected, .previewing: return .refused(.noTake)
    case .recording, .paused: return .refused(.notStopped)
    case .finalizing(let take):
      guard take.id == id else { return .refused(.wrongTake) }
      // The take's canvas, not the focus: the clip must be attached correctly even if the focus were not locked.
      setClip(of: take.canvas, to: file)
      return go(to: .previewing(take.canvas))
    }
  }

  private mutating func takeFailed(_ id: TakeID, reason: String, at instant: Instant) -> EventResult {
    switch session {
    case .idle, .selected, .previewing: return .noop(.stale)
    case .recording(var take), .finalizing(var take):
      guard take.id == id else { return .noop(.stale) }
      take.closeSegment(at: instant)
      take.interruption = reason
      return go(to: .paused(take))
    case .paused(var take):
      guard take.id == id, take.interruption == nil else { return .noop(.stale) }
      take.interruption = reason
      return go(to: .paused(take))
    }
  }

  // MARK: - Clips and covers

  private mutating func setClip(of canvas: CanvasID, to file: ClipFile) {
    let generation = revision + 1
    update(canvas) { $0.setClip(Clip(file: file, generation: generation), cover: .pending) }
  }

  private mutating func importClip(_ canvas: CanvasID, _ file: ClipFile, replace: Bool) -> EventResult {
    guard !isLocked else { return .refused(.locked) }
    guard self[canvas]?.clip == nil || replace else { return .refused(.hasClip) }
    setClip(of: canvas, to: file)
    return .done
  }

  private mutating func removeClip(_ canvas: CanvasID) -> EventResult {
    guard !isLocked else { return .refused(.locked) }
    guard self[canvas]?.clip != nil else { return .noop(.already) }
    update(canvas) { $0.setClip(nil, cover: .none) }
    return .done
  }

  /// Sets the part of a clip that is played; it gets a new generation, because it has another cover.
  private mutating func trimClip(_ canvas: CanvasID, _ trim: Trim?) -> EventResult {
    guard !isLocked else { return .refused(.locked) }
    guard let clip = self[canvas]?.clip else { return .refused(.noClip) }
    guard trim != clip.trim else { return .noop(.already) }
    if let trim, let seconds = clip.file.durationSeconds {
      guard trim.from < seconds, trim.to ?? seconds <= seconds else { return .refused(.badTrim) }
    }
    let generation = revision + 1
    update(canvas) { $0.setClip(Clip(file: clip.file, generation: generation, trim: trim), cover: .pending) }
    return .done
  }

  private mutating func useTake(_ canvas: CanvasID, _ generation: Int) -> EventResult {
    guard !isLocked else { return .refused(.locked) }
    guard let take = self[canvas]?.takes.last(where: { $0.clip.generation == generation }) else {
      return self[canvas]?.clip?.generation == generation ? .noop(.already) : .refused(.unknownTake)
    }
    update(canvas) { $0.setClip(take.clip, cover: take.cover) }
    return .done
  }

  private mutating func removeTake(_ canvas: CanvasID, _ generation: Int) -> EventResult {
    guard !isLocked else { return .refused(.locked) }
    guard let index = self[canvas]?.takes.lastIndex(where: { $0.clip.generation == generation }) else {
      return .refused(self[canvas]?.clip?.generation == generation ? .takeInUse : .unknownTake)
    }
    update(canvas) { canvas in _ = canvas.takes.remove(at: index) }
    return .done
  }

  /// Stores the result of making a cover, in every session, so that a locked board does not lose it.
  private mutating func setCover(_ canvas: CanvasID, _ generation: Int, _ cover: Cover) -> EventResult {
    guard let present = self[canvas], present.clip?.generation == generation, present.cover == .pending else {
      return .noop(.stale)
    }
    update(canvas) { $0.cover = cover }
    return .done
  }

  private mutating func coverRetry(_ canvas: CanvasID) -> EventResult {
    switch self[canvas]?.cover {
    case nil, .some(.none): return .refused(.noClip)
    case .pending: return .noop(.already)
    case .ready, .failed:
      update(canvas) { $0.cover = .pending }
      return .done
    }
  }

  // MARK: - Canvases

  private mutating func addCanvas(_ canvas: CanvasID, _ region: Region?) -> EventResult {
    guard !isLocked else { return .refused(.locked) }
    guard index(of: canvas) == nil else { return .refused(.canvasExists) }
    guard canvas.isValid else { return .refused(.badCanvasID) }
    canvases.append(Canvas(id: canvas, region: region ?? .whole))
    if region == nil { place([canvas]) }
    return .done
  }

  private mutating func removeCanvas(_ canvas: CanvasID) -> EventResult {
    guard !isLocked else { return .refused(.locked) }
    canvases.removeAll { $0.id == canvas }
    if session.focus == canvas { session = .idle }
    return .done
  }

  private mutating func moveCanvas(_ canvas: CanvasID, to position: Int) -> EventResult {
    guard !isLocked else { return .refused(.locked) }
    guard canvases.indices.contains(position), let present = index(of: canvas) else { return .refused(.badPosition) }
    guard position != present else { return .noop(.already) }
    canvases.insert(canvases.remove(at: present), at: position)
    return .done
  }
}
