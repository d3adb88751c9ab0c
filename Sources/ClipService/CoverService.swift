package import Covers
package import DecoderWire
internal import Files
internal import Glibc
package import SystemPackage

/// Makes covers and reports facts of clips, using a decoder process.
package struct CoverService: Sendable {
  private let decoder: FilePath
  private let timeout: Duration
  private let sandbox: SandboxDemand
  private let standby: StandbyProcesses
  /// The number of clips that one decoder process handles before it is replaced, so that possible leaks in FFmpeg's
  /// libraries do not accumulate.
  package var maximumClipsPerDecoder = 1000

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - decoder: The path of the decoder program; see ``ProgramLocation``.
  ///   - timeout: The maximum time for the work on one clip.
  ///   - sandbox: How strictly decoders are sandboxed.
  ///   - onIncompleteSandbox: Called once if a decoder works although a requested part of its sandbox is missing.
  package init(
    decoder: FilePath,
    timeout: Duration = .seconds(30),
    sandbox: SandboxMode = .auto,
    onIncompleteSandbox: @escaping @Sendable (SandboxState) -> Void = { _ in }
  ) {
    self.decoder = decoder
    self.timeout = timeout
    self.sandbox = SandboxDemand(sandbox, onIncomplete: onIncompleteSandbox)
    standby = StandbyProcesses(of: decoder, sandbox: self.sandbox)
  }

  /// The number of processors, at least 1; more decoders than that bring no gain.
  package static var processors: Int { max(Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))), 1) }

  /// Starts decoders for work that is about to come, until the given number waits for it.
  ///
  /// - Parameters:
  ///   - count: The number of decoders.
  ///   - clips: The number of clips that the process has open at the same time.
  package func prepare(decoders count: Int, besideClips clips: Int = 0) {
    standby.fill(to: count, besideClips: clips)
  }

  /// Creates the decoder of a program that uses only one.
  ///
  /// - Throws: ``ServiceError`` if the limit on descriptors is too low.
  private func makeOnlyDecoder() throws(ServiceError) -> RestartingDecoder {
    try DescriptorLimit.makeRoomForOneDecoder()
    return makeDecoder()
  }

  /// Creates the decoder that shares the work on sheets; returns `nil` if that would not be faster, or has no room.
  private func makeHelper() -> RestartingDecoder? {
    Self.processors > 1 && DescriptorLimit.hasRoom(forProcesses: 1, besideClips: 0) ? makeDecoder() : nil
  }

  /// Creates a decoder, whose process starts with its first work.
  package func makeDecoder() -> RestartingDecoder {
    RestartingDecoder(
      program: decoder,
      timeout: timeout,
      sandbox: sandbox,
      standby: standby,
      maximumClips: maximumClipsPerDecoder
    )
  }

  /// Returns the greeting of the decoder: its version, the versions of its FFmpeg libraries, and the state of its
  /// sandbox.
  ///
  /// - Throws: ``ServiceError`` if the decoder cannot be started.
  package func decoderHello() async throws(ServiceError) -> ProgramHello {
    let decoder = try makeOnlyDecoder()
    let hello = try await decoder.hello()
    await decoder.stop()
    return hello
  }

  /// Makes covers, contact sheets and animations one after another, and reports each when it is done.
  ///
  /// If the task is cancelled, the work in progress ends, and nothing more is reported.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started; outcomes reported before remain valid.
  package func makeCovers(
    _ orders: [CoverOrder],
    report: (PictureOutcome) -> Void
  ) async throws(ServiceError) {
    let owners = CoverPathOwners(.firstClip)
    let clips = Set(orders.compactMap { FileIdentity(of: $0.clip.path) })
    let folder = FilePath.currentFolder
    try await make(
      orders.indices,
      mayShare: orders.contains { $0.request.sheet != nil },
      job: { index async throws(ServiceError) in
        let order = orders[index]
        let text = try order.request.text()
        var job = CoverJob(order, text: text, in: folder, pathRule: owners.rule, namedClips: clips)
        let neighbours = orders[max(0, index - 1)...min(index + 1, orders.count - 1)]
        job.isLast = index == orders.count - 1
        job.isOneOfSeveral = neighbours.count { $0.clip.path == order.clip.path } > 1
        if let path = job.path { job.owner = await owners.take(path, for: order.clip.path) }
        return job
      },
      report: report
    )
  }

  /// Makes storyboards one after another, and reports each sheet and each storyboard when it is done.
  ///
  /// If the task is cancelled, the work in progress ends and leaves nothing, and nothing more is reported.
  ///
  /// - Parameters:
  ///   - orders: The orders.
  ///   - onSheet: Called after each sheet except the last one of a storyboard, with the path of the clip.
  ///   - report: Called after each storyboard.
  /// - Throws: ``ServiceError`` if no decoder can be started; outcomes reported before remain valid.
  package func makeStoryboards(
    _ orders: [StoryboardOrder],
    onSheet: (FilePath, _ made: Int, _ count: Int?) -> Void,
    report: (PictureOutcome) -> Void
  ) async throws(ServiceError) {
    try await make(
      orders.indices,
      mayShare: true,
      job: { index throws(ServiceError) in
        StoryboardJob(orders[index], text: try orders[index].request.picture.text(), in: .currentFolder)
      },
      onSheet: { onSheet(orders[$0].clip.path, $1, $2) },
      report: report
    )
  }

  /// Does jobs one after another.
  ///
  /// - Parameters:
  ///   - indices: The numbers of the jobs.
  ///   - mayShare: Whether a second decoder may share the work.
  ///   - makeJob: Creates a job.
  ///   - onSheet: Called after each sheet except the last one of a storyboard, with the number of the job.
  ///   - report: Called after each job.
  private func make<Job: PictureJob>(
    _ indices: Range<Int>,
    mayShare: Bool,
    job makeJob: (Int) async throws(ServiceError) -> Job,
    onSheet: (Int, _ made: Int, _ count: Int?) -> Void = { _, _, _ in },
    report: (PictureOutcome) -> Void
  ) async throws(ServiceError) {
    let decoder = try makeOnlyDecoder()
    let helper = mayShare ? makeHelper() : nil
    try await run(decoder, helper) { () throws(ServiceError) in
      for index in indices {
        var job = try await makeJob(index)
        job.pictures.helper = helper
        let outcome = try await job.outcomeWithRetry(with: decoder) { onSheet(index, $0, $1) }
        guard !Task.isCancelled else { return }
        report(outcome)
      }
    }
  }

  /// Does work with decoders, which are shut down if the task is cancelled, and stopped in the end.
  private func run(
    _ decoder: RestartingDecoder,
    _ helper: RestartingDecoder?,
    _ work: () async throws(ServiceError) -> Void
  ) async throws(ServiceError) {
    let result = await handlingCancellation(work) {
      Task {
        await decoder.shutDown()
        await helper?.shutDown()
      }
    }
    await decoder.stop()
    await helper?.stop()
    try result.get()
  }

  /// Reports the facts of clips, one after another with one decoder.
  ///
  /// - Parameters:
  ///   - clips: The paths of the clips.
  ///   - programme: The number of the programme of a transport stream that is examined; `nil` for the first one.
  ///   - report: Receives the result for each clip.
  /// - Throws: ``ServiceError`` if no decoder can be started; results reported before remain valid.
  package func probe(
    _ clips: [FilePath],
    programme: Int? = nil,
    report: (FilePath, Result<ProbedClip, ProbeFailure>) -> Void
  ) async throws(ServiceError) {
    let decoder = try makeOnlyDecoder()
    for clip in clips {
      report(clip, try await facts(of: clip, programme: programme, with: decoder))
    }
    await decoder.stop()
  }

  /// Returns the facts of the clip on standard input.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  package func probe(
    _ clip: InputClip,
    programme: Int? = nil
  ) async throws(ServiceError) -> Result<ProbedClip, ProbeFailure> {
    let decoder = try makeOnlyDecoder()
    let result = try await decoder.probe(clip.clip.descriptor, programme: programme, rawFormat: nil)
    await decoder.stop()
    return result
  }

  private func facts(
    of clip: FilePath,
    programme: Int?,
    with decoder: RestartingDecoder
  ) async throws(ServiceError)
    -> Result<ProbedClip, ProbeFailure>
  {
    let file: OpenClip
    do throws(CoverFailure) {
      file = try OpenClip(opening: clip)
    } catch {
      return .failure(ProbeFailure(error))
    }
    return try await decoder.probe(file.descriptor, programme: programme, rawFormat: RawFormat(ofFileAt: clip))
  }

  /// Reports the facts of open files, such as a video from the composer, with one decoder.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - programme: The programme of those that are transport streams; `nil` for the first one of each.
  /// - Returns: The facts of each file, or why it could not be read.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  package func facts(
    of files: [FileDescriptor],
    programme: Int? = nil
  ) async throws(ServiceError) -> [Result<ClipFacts, CoverFailure>] {
    let decoder = try makeOnlyDecoder()
    var results: [Result<ClipFacts, CoverFailure>] = []
    for file in files {
      let result = try await decoder.probe(file, programme: programme, rawFormat: nil)
      results.append(result.map(\.facts).mapError(\.failure))
    }
    await decoder.stop()
    return results
  }
}

extension CoverFailure {
  /// The failure of a decoder that reported a picture but did not write it, or wrote a different one.
  ///
  /// - Parameter flaw: The defect of the file.
  static func invalidPicture(_ flaw: String) -> CoverFailure {
    CoverFailure(
      stage: .service,
      cause: .invalidReply,
      message: "the decoder wrote an invalid picture: \(flaw)"
    )
  }

  /// The failure to seal the picture, which the decoder could therefore change after it was checked.
  static func unsealed(_ error: Errno) -> CoverFailure {
    CoverFailure(
      stage: .service,
      cause: .invalidReply,
      code: Int(error.rawValue),
      message: "the decoder did not release the picture (\(error.message))"
    )
  }

  /// The failure to allocate memory for the picture.
  static func cannotHold(_ error: Errno) -> CoverFailure {
    CoverFailure(
      stage: .output,
      cause: .outputFailed,
      code: Int(error.rawValue),
      message: "cannot hold the picture in memory: \(error.message)"
    )
  }

  /// The failure as one to allocate memory, if a write by the decoder failed; the decoder writes to a memory file.
  var aboutMemory: CoverFailure {
    cause == .outputFailed && code != 0 ? .cannotHold(Errno(rawValue: CInt(clamping: code))) : self
  }

  /// The failure of a decoder that sent a well-formed reply to a different request.
  static let unexpectedAnswer = CoverFailure(
    stage: .service,
    cause: .invalidReply,
    message: "the decoder sent the wrong reply"
  )
}
