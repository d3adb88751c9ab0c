package import Covers
internal import DecoderWire
package import Files
package import SystemPackage

extension VideoService {
  /// How much of a video was composed.
  package struct CompositionProgress: Sendable {
    /// The number of frames.
    package let frames: Int
    /// The number of bytes written.
    package let bytes: Int
  }

  /// Measures clips by reading all their packets.
  ///
  /// - Parameter clips: The descriptors of at least one clip.
  /// - Returns: The measures, in the order of the clips.
  /// - Throws: `ServiceError` if the composer cannot be started.
  package func measure(_ clips: [FileDescriptor]) async throws(ServiceError) -> Result<[MeasuredClip], CoverFailure> {
    try DescriptorLimit.makeRoom(forClips: clips.count)
    // One to measure and, most often, one to compose next.
    composer.standby.fill(to: 2, besideClips: clips.count)
    switch try await composer.perform(.measure, clips: clips, files: [], within: .measuring(clips: clips.count)) {
    case .measured(let measured) where measured.count == clips.count: return .success(measured)
    case .failure(let failure, _): return .failure(failure)
    case .measured, .measuring, .composed, .composing, .remuxed, .progress: return .failure(.unexpectedComposerAnswer)
    }
  }

  /// Composes clips into a video.
  ///
  /// The video takes its place in one step, after a decoder has checked it, and only if none of the clips was changed
  /// meanwhile: it would mix what was in the file before and after. Until then an existing file is unchanged.
  ///
  /// - Parameters:
  ///   - request: The video.
  ///   - clips: The clips.
  ///   - pictures: A sealed file with the pictures.
  ///   - place: The place of the video.
  ///   - progress: Called when more frames were composed.
  /// - Throws: `ServiceError` if the composer or the decoder cannot be started.
  package func compose(
    _ request: VideoRequest,
    clips: [MeasuredFile],
    pictures: MemoryFile,
    at place: OutputPlace,
    progress: (CompositionProgress) -> Void
  ) async throws(ServiceError) -> Result<VideoFacts, VideoFailure> {
    try DescriptorLimit.makeRoom(forClips: clips.count)
    let file: ReplacementFile
    do throws(FileReplacementError) {
      file = try ReplacementFile(for: place)
    } catch {
      return .failure(VideoFailure(CoverFailure(error)))
    }
    let files = [file.descriptor, pictures.descriptor]
    let reply = try await composer.perform(
      .compose(request),
      clips: clips.map(\.file.descriptor),
      files: files,
      within: .composing(request),
      addressSpace: ComposerMemory.addressSpace(for: request, of: clips.map(\.measure))
    ) { reply in
      guard case .composing(let frames, let bytes) = reply else { return }
      // The decoder that checks the video starts while the last frames are composed.
      if frames >= request.frames - request.frames / 20 { covers.prepare(decoders: 1, besideClips: clips.count) }
      progress(CompositionProgress(frames: min(frames, request.frames), bytes: bytes))
    }
    if let change = VideoFailure(changeOf: clips.map(\.file)) { return .failure(change) }
    let facts: VideoFacts
    switch reply {
    case .composed(let composed): facts = composed
    case .failure(let failure, let clip): return .failure(VideoFailure(failure.forVideo(at: place), clip: clip))
    case .measured, .measuring, .composing, .remuxed, .progress:
      return .failure(VideoFailure(.unexpectedComposerAnswer))
    }
    if let failure = try await check(file.descriptor, facts: facts, of: request) {
      return .failure(VideoFailure(failure))
    }
    do throws(FileReplacementError) {
      try file.commit(syncsFolder: true)
    } catch {
      return .failure(VideoFailure(CoverFailure(error)))
    }
    return .success(facts)
  }

  /// Returns why a video cannot be used: its flaw according to a decoder, or the breakdown of the decoder itself; `nil`
  /// if nothing is wrong.
  private func check(
    _ file: FileDescriptor,
    facts: VideoFacts,
    of request: VideoRequest
  ) async throws(ServiceError) -> CoverFailure? {
    guard let status = try? FileStatus(of: file), status.bytes == facts.bytes else {
      return .invalidVideo("it has another size")
    }
    guard facts.frames == request.frames else {
      return .invalidVideo("it has \(facts.frames) frames, not \(request.frames)")
    }
    guard facts.problems.allSatisfy({ request.canvases.indices.contains($0.canvas) }) else {
      return .invalidVideo("it has other canvases")
    }
    switch try await covers.facts(of: [file])[0] {
    case .failure(let failure): return failure.isBreakdown ? failure : .invalidVideo(failure.message)
    case .success(let video): return video.flaw(comparedWith: request).map(CoverFailure.invalidVideo)
    }
  }
}

extension ClipFacts {
  /// Returns how a video differs from what was requested; `nil` if it does not.
  fileprivate func flaw(comparedWith request: VideoRequest) -> String? {
    if !container.hasPrefix("mov,") || codec != "h264" { return "it is not MP4 with H.264" }
    if (storedWidth, storedHeight) != (request.width, request.height) { return "its frames have another size" }
    if audioStreams != (request.hasSound ? 1 : 0) { return "it has \(audioStreams) audio streams" }
    let tolerance = 1 / request.frameRate.value
    guard let duration = durationSeconds, abs(duration - request.seconds) <= tolerance else {
      return "its duration is wrong"
    }
    return nil
  }
}

extension CoverFailure {
  /// The failure with what the user can do about it.
  fileprivate func forVideo(at place: OutputPlace) -> CoverFailure {
    var failure = self
    switch (stage, cause) {
    case (.mux, .inputOutput):
      let errno = Errno(rawValue: CInt(clamping: -code))
      failure = CoverFailure(FileReplacementError(operation: "write", path: place.path, errno: errno))
    case (.encode, .unsupportedCodec):
      failure.advice = "install an FFmpeg with x264 and AAC, such as Debian's libavcodec59"
    case (.encode, .outOfMemory):
      failure.advice = "export the clips one after another with --order sequence, or choose a smaller --size"
    default: break
    }
    return failure
  }
}
