package import Covers
internal import DecoderWire
internal import Files
internal import SystemPackage

extension VideoService {
  /// Copies clips into another container.
  ///
  /// The video takes its place in one step, after a decoder has checked it. Until then an existing file is unchanged.
  ///
  /// - Parameters:
  ///   - order: The clips and the place of the video.
  ///   - progress: Called when more of the clips was copied.
  /// - Throws: `ServiceError` if the composer or the decoder cannot be started.
  package func remux(
    _ order: RemuxOrder,
    progress: (RemuxProgress) -> Void = { _ in }
  ) async throws(ServiceError) -> RemuxOutcome {
    var outcome = RemuxOutcome(
      clips: order.clips.map(\.displayText),
      output: order.place.path.displayText,
      container: order.request.container,
      result: .failure(.unexpectedComposerAnswer)
    )
    do {
      outcome.result = .success(try await write(order, progress: progress))
    } catch let error as VideoFailure {
      outcome.result = .failure(error.failure)
      outcome.failedClip = error.clip.map { outcome.clips[$0] }
    } catch let error as ServiceError {
      throw error
    } catch {
      preconditionFailure("an error of an unexpected kind: \(error)")
    }
    return outcome
  }

  private func write(_ order: RemuxOrder, progress: (RemuxProgress) -> Void) async throws -> RemuxFacts {
    try DescriptorLimit.makeRoom(forClips: order.clips.count)
    let clips = try Self.open(order.clips)
    try Self.check(order, sparing: clips)
    let file = try Self.create(order.place)
    let descriptor = file.descriptor
    // The decoder that checks the video starts while the clips are copied.
    covers.prepare(decoders: 1, besideClips: clips.count)
    // Sparse files may have any size.
    let total = clips.reduce(0) { $0 + min($1.version.bytes, 1 << 50) }
    let reply = try await composer.perform(
      .remux(order.request),
      clips: clips.map(\.descriptor),
      files: [descriptor],
      within: .copying(bytes: total)
    ) { reply in
      guard case .progress(let bytes) = reply else { return }
      descriptor.beginWriteback()
      progress(RemuxProgress(bytes: min(bytes, total), totalBytes: total))
    }
    if let change = VideoFailure(changeOf: clips) { throw change }
    let facts = try Self.facts(in: reply, for: order)
    if let flaw = try await flaw(in: file.descriptor, facts: facts, of: clips, order.request) {
      throw VideoFailure(.invalidVideo(flaw))
    }
    do throws(FileReplacementError) {
      try file.commit(syncsFolder: true)
    } catch {
      throw VideoFailure(CoverFailure(error))
    }
    return facts
  }

  private static func open(_ paths: [FilePath]) throws(VideoFailure) -> [OpenClip] {
    var clips: [OpenClip] = []
    for path in paths {
      do throws(CoverFailure) {
        clips.append(try OpenClip(opening: path))
      } catch {
        throw VideoFailure(error, clip: clips.count)
      }
    }
    return clips
  }

  private static func check(_ order: RemuxOrder, sparing clips: [OpenClip]) throws(VideoFailure) {
    let inputs = Dictionary(clips.map { ($0.version.identity, "one of the clips") }) { one, _ in one }
    do throws(OutputRefusal) {
      try order.place.check(isForced: order.isForced, sparing: inputs) { _ in false }
    } catch {
      throw VideoFailure(CoverFailure(error, product: "empty", optionTakes: .file))
    }
  }

  private static func create(_ place: OutputPlace) throws(VideoFailure) -> ReplacementFile {
    do throws(FileReplacementError) {
      return try ReplacementFile(for: place)
    } catch {
      throw VideoFailure(CoverFailure(error))
    }
  }

  private static func facts(in reply: ComposerReply, for order: RemuxOrder) throws(VideoFailure) -> RemuxFacts {
    switch reply {
    case .remuxed(let facts)
    where facts.parts.count == order.clips.count && (facts.cut == nil) == (order.request.part == nil):
      return facts
    case .failure(let failure, let clip):
      guard clip.map(order.clips.indices.contains) ?? true else { break }
      throw VideoFailure(failure.forRemux(order, clip: clip), clip: clip)
    case .remuxed, .progress, .measuring, .composing, .composed, .measured: break
    }
    throw VideoFailure(.unexpectedComposerAnswer)
  }

  /// Returns what is wrong with a video, according to a decoder; `nil` if nothing is.
  ///
  /// - Throws: ``VideoFailure`` if the decoder broke down, which is not a flaw of the video, or `ServiceError` if it
  ///   cannot be started.
  private func flaw(
    in file: FileDescriptor,
    facts: RemuxFacts,
    of clips: [OpenClip],
    _ request: RemuxRequest
  ) async throws -> String? {
    guard let status = try? FileStatus(of: file), status.bytes == facts.bytes else { return "it has another size" }
    guard let clip = clips.first else { return "it has no clip" }
    // The video first, before the decoder has read anything else.
    let read = try await covers.facts(of: [file, clip.descriptor], programme: request.programme)
    switch (read[0], read[1]) {
    case (.failure(let failure), _) where failure.isBreakdown, (_, .failure(let failure)) where failure.isBreakdown:
      throw VideoFailure(failure)
    case (.failure(let failure), _): return failure.message
    case (_, .failure): return "its clip can no longer be read"
    case (.success(let video), .success(let original)): return facts.flaw(in: video, copiedFrom: original, request)
    }
  }
}

extension RemuxFacts {
  /// The largest difference between the durations that the composer and the decoder report, in seconds.
  private static let tolerance = 0.5

  /// Returns what is wrong with a video; `nil` if nothing is.
  fileprivate func flaw(in video: ClipFacts, copiedFrom clip: ClipFacts, _ request: RemuxRequest) -> String? {
    let isMovie = request.container == .mp4 || request.container == .mov
    if isMovie != video.container.hasPrefix("mov,") { return "it is not \(request.container.displayName)" }
    if video.codec != clip.codec { return "its codec is \(video.codec), not \(clip.codec)" }
    if (video.storedWidth, video.storedHeight) != (clip.storedWidth, clip.storedHeight) { return "it has another size" }
    if let format = clip.pixelFormat, video.pixelFormat != format {
      return "its pixel format is \(video.pixelFormat ?? "unknown"), not \(format)"
    }
    if (video.rotation, video.mirrored) != (clip.rotation, clip.mirrored) { return "it has another orientation" }
    if video.audioStreams != audioStreams { return "it has \(video.audioStreams) audio streams, not \(audioStreams)" }
    // A single frame may last for an unknown time.
    let isKnown = video.durationSeconds != nil || durationSeconds > 0
    if isKnown, (video.durationSeconds ?? .infinity) > durationSeconds + Self.tolerance {
      return "its duration is wrong"
    }
    return nil
  }
}

extension CoverFailure {
  static let unexpectedComposerAnswer = CoverFailure(
    stage: .service,
    cause: .invalidReply,
    message: "the composer sent the wrong reply"
  )

  static func invalidVideo(_ flaw: String) -> CoverFailure {
    CoverFailure(stage: .service, cause: .invalidReply, message: "the composer wrote an invalid video: \(flaw)")
  }

  /// The failure with what the user can do about it.
  fileprivate func forRemux(_ order: RemuxOrder, clip: Int?) -> CoverFailure {
    var failure = self
    switch (stage, cause) {
    case (.mux, .inputOutput):
      let errno = Errno(rawValue: CInt(clamping: -code))
      failure = CoverFailure(FileReplacementError(operation: "write", path: order.place.path, errno: errno))
    case (.mux, .unfitContainer):
      failure.advice = "name such a file with -o, or re-encode it, for example with ffmpeg"
    case (.mux, .incompatible):
      if let clip, clip > 0 { failure.message = "cannot be joined to \(order.clips[0].displayText): \(message)" }
      failure.advice = "re-encode it first, for example with ffmpeg"
    default: break
    }
    return failure
  }
}
