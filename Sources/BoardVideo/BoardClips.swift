internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// The clips of a board, open and measured.
struct BoardClips {
  /// The clip of a canvas.
  private struct Entry {
    let canvas: CanvasID
    /// The path, as the board has it; `nil` for a canvas without a clip.
    let path: String?
    /// The part that is played; `nil` for the whole clip.
    let trim: Trim?
    /// The file; `nil` if it cannot be opened or measured.
    var file: OpenClip?
    var measure: ClipMeasure?

    /// The duration of the part that is played, in seconds; `nil` if the clip cannot be shown.
    var seconds: Double? {
      guard let trim, let seconds = measure?.seconds else { return measure?.seconds }
      return min(trim.to ?? seconds, seconds) - trim.from
    }
  }

  private var entries: [Entry] = []
  /// The clips that cannot be shown at all.
  private(set) var problems: [ExportReport.Problem] = []

  /// Opens the clips.
  ///
  /// - Throws: `CommandError` if the board has none, or more than this process may open.
  init(of board: Board, at file: BoardFile) throws(CommandError) {
    do throws(ServiceError) {
      // Before the first is opened: those that cannot be opened would be missing from the video.
      try DescriptorLimit.makeRoom(forClips: board.canvases.count { $0.clip != nil })
    } catch {
      throw .cannotExport(error.description)
    }
    for canvas in board.canvases {
      var entry = Entry(canvas: canvas.id, path: canvas.clip?.file.path, trim: canvas.clip?.trim)
      if let path = entry.path {
        do throws(CoverFailure) {
          entry.file = try OpenClip(opening: BoardPath.path(of: path, in: file.folder))
        } catch {
          problems.append(.init(canvas.id, clip: path, kind: .broken, seconds: 0, error))
        }
      }
      entries.append(entry)
    }
    guard entries.contains(where: { $0.path != nil }) else {
      throw .cannotExport("no canvas has a clip; add one with \(file.command("clip import"))")
    }
  }

  // MARK: - Files

  private var files: [OpenClip] { entries.compactMap(\.file) }

  /// The clips that can be shown.
  var measured: [MeasuredFile] {
    entries.compactMap { entry in
      guard let file = entry.file, let measure = entry.measure else { return nil }
      return MeasuredFile(file, measure)
    }
  }

  /// Returns the error for a video that was not written, naming the clip that it is about.
  func error(_ error: VideoFailure) -> CommandError {
    let shown = entries.filter { $0.measure != nil }
    guard let clip = error.clip, shown.indices.contains(clip) else { return .cannotExport(error.failure) }
    let entry = shown[clip]
    return .cannotExport(error.failure, of: "\(DisplayName.of(entry.path ?? "")) of \(DisplayName.of(entry.canvas))")
  }

  /// Measures the clips; those that cannot be read are closed.
  ///
  /// - Throws: `CommandError` if none can be shown.
  mutating func measure(with service: VideoService) async throws(CommandError) {
    if !files.isEmpty { try await measureOpen(with: service) }
    guard files.isEmpty else { return }
    StandardError.print(lines: problems.map { "clipcanvas: \($0.line)" })
    throw CommandError(.someFailed, "cannot export the board: none of its clips can be shown")
  }

  private mutating func measureOpen(with service: VideoService) async throws(CommandError) {
    let result = try await CommandError.orResult { () async throws(ServiceError) in
      try await service.measure(files.map(\.descriptor))
    }
    let measured: [MeasuredClip]
    switch result {
    case .success(let clips): measured = clips
    case .failure(let failure): throw .cannotExport(failure)
    }
    for (index, clip) in zip(entries.indices.filter { entries[$0].file != nil }, measured) {
      switch clip {
      case .measure(let measure):
        entries[index].measure = measure
        if entries[index].seconds ?? 1 <= 0 { leaveOut(index, .partBeyondEnd(of: measure.seconds)) }
      case .failure(let failure): leaveOut(index, failure)
      }
    }
  }

  /// Closes a clip that cannot be shown.
  private mutating func leaveOut(_ index: Int, _ failure: CoverFailure) {
    let entry = entries[index]
    problems.append(.init(entry.canvas, clip: entry.path ?? "", kind: .broken, seconds: 0, failure))
    (entries[index].file, entries[index].measure) = (nil, nil)
  }

  /// Returns the widths of the clips divided by their heights, as they are shown, by canvas; `nil` for a canvas whose
  /// clip cannot be shown.
  func shapes(with service: CoverService, in folder: FilePath) async throws(CommandError) -> [Double?] {
    let paths = entries.map { entry in
      entry.measure == nil ? nil : entry.path.map { BoardPath.path(of: $0, in: folder) }
    }
    var shapes: [FilePath: Double] = [:]
    try await CommandError.orResult { () async throws(ServiceError) in
      try await service.probe(paths.compactMap(\.self)) { path, result in
        guard case .success(let clip) = result, clip.facts.shownHeight > 0, clip.facts.shownWidth > 0 else { return }
        shapes[path] = Double(clip.facts.shownWidth) / Double(clip.facts.shownHeight)
      }
    }
    return paths.map { $0.flatMap { shapes[$0] } }
  }

  // MARK: - Plan

  /// The durations of the clips that can be shown, by canvas.
  var seconds: [Double?] { entries.map(\.seconds) }

  /// Returns the clips of a video, by canvas.
  ///
  /// All sounds together have the power of one: each is lowered by the square root of their number, if they play at the
  /// same time. The position between left and right keeps the power as well.
  func videoClips(_ timeline: VideoTimeline, _ arguments: ExportArguments) -> [VideoRequest.Clip?] {
    let isHeard = entries.map { ($0.measure?.hasSound ?? false) && !arguments.muted.contains("\($0.canvas)") }
    let sounds = timeline.mostAtOnce(isLooped: arguments.after == .loop) { isHeard[$0] }
    let gain = 1 / Double(max(sounds, 1)).squareRoot()
    var files = 0
    return entries.enumerated().map { index, entry in
      guard entry.file != nil, let span = timeline.spans[index] else { return nil }
      let pan = arguments.pans["\(entry.canvas)"] ?? 0
      let level = isHeard[index] ? gain : 0
      defer { files += 1 }
      var clip = VideoRequest.Clip(
        file: files,
        start: span.start,
        frames: span.frames,
        end: arguments.after.end,
        leftGain: level * (1 - pan).squareRoot(),
        rightGain: level * (1 + pan).squareRoot()
      )
      clip.skippedSeconds = entry.trim?.from ?? 0
      return clip
    }
  }

  // MARK: - Report

  /// The clips whose sound should be heard but cannot be decoded.
  private func silentClips(muted: Set<String>) -> [ExportReport.Problem] {
    entries.compactMap { entry in
      guard let codec = entry.measure?.unsupportedSound, !muted.contains("\(entry.canvas)") else { return nil }
      let failure = CoverFailure(
        stage: .openDecoder,
        cause: .refused,
        message: "the audio codec \(codec) is not supported"
      )
      return .init(entry.canvas, clip: entry.path ?? "", kind: .silent, seconds: 0, failure)
    }
  }

  /// Returns the report about a video.
  func report(
    on video: VideoRequest,
    _ facts: VideoFacts,
    of board: Board,
    _ file: BoardFile,
    _ arguments: ExportArguments
  ) -> ExportReport {
    let rate = video.frameRate.value
    let clips = zip(entries, video.canvases).compactMap { entry, canvas in
      canvas.clip.map { clip in
        ExportReport.Clip(
          canvas: DisplayName.of(entry.canvas),
          clip: DisplayName.of(entry.path ?? ""),
          start: Double(clip.start) / rate,
          duration: Double(clip.frames) / rate
        )
      }
    }
    let found = facts.problems.map { problem in
      let entry = entries[problem.canvas]
      return ExportReport.Problem(
        entry.canvas,
        clip: entry.path ?? "",
        kind: problem.kind,
        seconds: problem.seconds,
        problem.failure
      )
    }
    return ExportReport(
      board: file.path.displayText,
      video: arguments.output.displayText,
      width: video.width,
      height: video.height,
      frameRate: rate,
      frames: facts.frames,
      durationSeconds: video.seconds,
      bytes: facts.bytes,
      hasSound: video.hasSound,
      revision: board.revision,
      clips: clips,
      problems: problems + silentClips(muted: arguments.muted) + found
    )
  }
}

extension CoverFailure {
  /// The failure of a clip that ends before the part of it that is played.
  fileprivate static func partBeyondEnd(of seconds: Double) -> CoverFailure {
    CoverFailure(
      stage: .decode,
      cause: .noFrame,
      message: "the clip has only \(DecimalText.of(seconds, places: 0...3)) s, and the part that is played starts later"
    )
  }
}

extension ExportArguments.After {
  fileprivate var end: VideoRequest.End {
    switch self {
    case .hold: .hold
    case .loop: .loop
    case .cover, .plus: .picture
    }
  }
}
