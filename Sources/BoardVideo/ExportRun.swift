internal import BoardStore
package import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import PictureDrawing
internal import SystemPackage

/// The making of one video: reads the board, measures its clips, paints its pictures and composes.
package struct ExportRun {
  private let arguments: ExportArguments

  /// Creates a run.
  package init(_ arguments: ExportArguments) {
    self.arguments = arguments
  }

  /// Makes the video.
  ///
  /// - Throws: `CommandError`.
  package func run() async throws(CommandError) {
    let file = BoardFile(at: arguments.board)
    // While the clips are needed, `board clean` removes none.
    let lock = try? FolderLock(sharing: file.clipsFolder)
    let board = try file.readForDrawing()
    try arguments.check(against: board)
    var clips = try BoardClips(of: board, at: file)
    try checkOutput(against: file.parts(of: board))
    let (timeout, sandbox) = (arguments.timeout, arguments.sandbox)
    let (covers, service) = try await CommandError.orResult { () throws(ServiceError) in
      let covers = try CoverService.installed(timeout: timeout, sandbox: sandbox, warns: false)
      return (covers, try VideoService.installed(timeout: timeout, sandbox: sandbox, covers: covers))
    }
    // The decoder of the covers starts while the clips are measured.
    if board.hasCovers { covers.prepare(decoders: 1, besideClips: board.canvases.count) }
    try await clips.measure(with: service)
    print(clips.problems)
    let size = try await size(of: board, clips, with: covers, in: file.folder)
    let (video, pictures) = try await plan(board, clips, size, drawing: covers, in: file.folder)
    let facts = try await compose(video, pictures, clips, with: service)
    let report = clips.report(on: video, facts, of: board, file, arguments)
    print(Array(report.problems.dropFirst(clips.problems.count)))
    _ = consume lock
    try report.print(asJSON: arguments.reportsJSON)
    guard report.problems.isEmpty else { throw CommandError(.someFailed) }
  }

  private func print(_ problems: [ExportReport.Problem]) {
    StandardError.print(lines: problems.map { "clipcanvas: \($0.line)" })
  }

  // MARK: - Output

  /// Checks that the video may take its place, before any work is done.
  ///
  /// - Parameter parts: The files of the board, with a description of each.
  private func checkOutput(against parts: [FileIdentity: String]) throws(CommandError) {
    do throws(OutputRefusal) {
      try OutputPlace(named: arguments.output).check(isForced: arguments.isForced, sparing: parts) { _ in false }
    } catch {
      throw .cannotExport(CoverFailure(error, product: "empty", optionTakes: .file))
    }
  }

  // MARK: - Plan

  /// Returns the requested size of the video, or one whose shape suits the board and its clips.
  private func size(
    of board: Board,
    _ clips: BoardClips,
    with covers: CoverService,
    in folder: FilePath
  ) async throws(CommandError) -> VideoSize {
    if let size = arguments.size { return size }
    let places = try arguments.layout?.regions(for: board) ?? BoardLayout(board).regions
    let shapes = try await clips.shapes(with: covers, in: folder)
    let known = zip(places, shapes).compactMap { place, shape in shape.map { (place, $0) } }
    return VideoSize(shape: BestShape.shape(for: known))
  }

  /// Returns the video, and its pictures.
  private func plan(
    _ board: Board,
    _ clips: BoardClips,
    _ size: VideoSize,
    drawing covers: CoverService,
    in folder: FilePath
  ) async throws(CommandError) -> (VideoRequest, MemoryFile) {
    let timeline = VideoTimeline(
      of: clips.seconds,
      order: arguments.order,
      length: arguments.length,
      frameRate: arguments.frameRate.value
    )
    let pictures = try await paint(board, size, with: covers, in: folder)
    var canvases = pictures.canvases
    for (index, clip) in clips.videoClips(timeline, arguments).enumerated() { canvases[index].clip = clip }
    let palette = Palette(arguments.theme)
    let request = VideoRequest(
      canvases: canvases,
      width: size.width,
      height: size.height,
      frameRate: arguments.frameRate.value,
      frames: timeline.frames,
      ground: palette.tableColour,
      canvasGround: palette.groundColour,
      quality: arguments.quality,
      hasSound: canvases.contains { $0.clip.map { $0.leftGain + $0.rightGain > 0 } ?? false },
      isIndexFirst: arguments.isIndexFirst
    )
    return (request, try pictures.sealed())
  }

  private func paint(
    _ board: Board,
    _ size: VideoSize,
    with service: CoverService,
    in folder: FilePath
  ) async throws(CommandError) -> VideoPictures {
    let plan = BoardPlan(
      board,
      regions: try arguments.layout?.regions(for: board),
      width: size.width,
      height: size.height
    ) { board.faceAtRest(of: $0) }
    let palette = Palette(arguments.theme)
    var pictures = try VideoPictures(of: plan, palette, after: arguments.after)
    var index = 0
    let covers = { service }
    try await CoverPictures.forEachCell(of: plan, in: folder, palette, hasBackdrops: true, decoding: covers) {
      cell,
      cover throws(CommandError) in
      let picture: PictureBox? = if case .picture(let picture) = cover { picture } else { nil }
      let (canvas, gutter) = (board.canvases[index], plan.gutterInFront(ofCell: index))
      index += 1
      try pictures.add(cell, gutter: gutter, cover: picture, plus: board.faceWithoutClip(of: canvas))
    }
    return pictures
  }

  // MARK: - Composition

  private func compose(
    _ video: VideoRequest,
    _ pictures: MemoryFile,
    _ clips: BoardClips,
    with service: VideoService
  ) async throws(CommandError) -> VideoFacts {
    var line = ExportProgress(of: video.frames, at: video.frameRate.value)
    defer { line.clear() }
    let result = try await CommandError.orResult { () async throws(ServiceError) in
      try await service.compose(
        video,
        clips: clips.measured,
        pictures: pictures,
        at: OutputPlace(named: arguments.output)
      ) {
        line.show($0.frames)
        if arguments.reportsProgress { ExportProgress.report($0.frames, of: video.frames) }
      }
    }
    switch result {
    case .success(let facts): return facts
    case .failure(let failure): throw clips.error(failure)
    }
  }
}

extension Board {
  /// Whether any canvas has a cover to draw.
  fileprivate var hasCovers: Bool {
    canvases.contains { canvas in
      if case .ready = canvas.cover { true } else { false }
    }
  }
}

extension ExportArguments {
  /// Checks that the board has few enough canvases, and that named canvases exist.
  fileprivate func check(against board: Board) throws(CommandError) {
    guard board.canvases.count <= VideoRequest.maximumCanvases else {
      throw .cannotExport(
        "it has \(board.canvases.count) canvases, and a video can have \(VideoRequest.maximumCanvases); remove some"
      )
    }
    let known = board.canvases.map { "\($0.id)" }
    for (option, names) in [("--pan", pans.keys.sorted()), ("--mute", muted.sorted())] {
      guard let name = names.first(where: { !known.contains($0) }) else { continue }
      throw CommandError(.usage, "\(option): no canvas '\(name)'; this board has \(known.joined(separator: ", "))")
    }
  }
}
