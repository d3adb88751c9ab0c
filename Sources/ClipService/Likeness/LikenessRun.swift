package import Covers
internal import Files
package import SystemPackage

/// A progress event of the examination of clips that are compared.
package enum LikenessEvent: Sendable {
  /// Work on a clip has started.
  case began(FilePath)
  /// Work on a clip has ended; the failure is why its frames cannot be compared.
  case ended(ComparedClip, CoverFailure?)
  /// A file without a clip's file extension turned out not to be a clip.
  case wasNoClip(FilePath)
  /// A folder or a clip cannot be read.
  case failed(FilePath, CoverFailure)
}

extension CoverService {
  /// Examines clips, so that they can be compared, with several decoders in parallel.
  ///
  /// - Parameters:
  ///   - clips: The clips.
  ///   - jobs: The number of decoders, at least 1.
  ///   - report: Called for each event, also from several threads.
  /// - Returns: What was not examined.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  package func examine(
    _ clips: ClipSelection,
    jobs: Int,
    report: @escaping @Sendable (LikenessEvent) -> Void
  ) async throws(ServiceError) -> PassedOver {
    let crew = try DecoderCrew(jobs, makeDecoder: makeDecoder)
    let run = LikenessRun(clips: try ClipQueue(clips), report: report)
    try await crew.run(run.clips) { () throws(ServiceError) in
      try await crew.each { decoder throws(ServiceError) in try await run.work(with: decoder) }
    }
    return await run.clips.passedOver
  }
}

/// The examination of clips that are compared.
private struct LikenessRun: Sendable {
  let clips: ClipQueue
  let report: @Sendable (LikenessEvent) -> Void
  private let folder = FilePath.currentFolder

  init(clips: ClipQueue, report: @escaping @Sendable (LikenessEvent) -> Void) {
    (self.clips, self.report) = (clips, report)
  }

  /// Examines clips until the queue is empty.
  func work(with decoder: RestartingDecoder) async throws(ServiceError) {
    while !clips.isStopped, let finding = try await clips.next() {
      try await process(finding, with: decoder)
    }
  }

  private func process(_ finding: Finding, with decoder: RestartingDecoder) async throws(ServiceError) {
    switch finding {
    case .clip(let clip): try await examine(clip, with: decoder)
    case .problem(let path, let failure): report(.failed(path, failure))
    case .folder: break
    }
  }

  private func examine(_ clip: FoundClip, with decoder: RestartingDecoder) async throws(ServiceError) {
    report(.began(clip.path))
    let pictures = ClipPictures(clip: clip, uri: clip.uri(in: folder))
    let file: OpenClip
    do throws(CoverFailure) {
      file = try pictures.open()
    } catch {
      return report(clip.isNoClip(after: error) ? .wasNoClip(clip.path) : .failed(clip.path, error))
    }
    let result = try await decoder.retrying { () async throws(ServiceError) in
      try await pictures.decodeTiles(for: ClipLook.request, of: file, with: decoder)
    }
    guard !clips.isStopped else { return }
    if let change = file.change { return report(.failed(clip.path, change)) }
    var compared = ComparedClip(path: clip.path, file: pictures.description(of: file.version))
    compared.identity = file.version.identity
    switch result {
    case .success(let tiles):
      compared.look = ClipLook(tiles.frames, durationSeconds: tiles.facts.durationSeconds)
      compared.size = PixelSize(width: tiles.clip.shownWidth, height: tiles.clip.shownHeight)
      compared.durationSeconds = tiles.facts.durationSeconds
      compared.codec = tiles.facts.codec
      report(.ended(compared, nil))
    case .failure(let failure):
      report(clip.isNoClip(after: failure) ? .wasNoClip(clip.path) : .ended(compared, failure))
    }
  }
}
