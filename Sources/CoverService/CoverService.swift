public import Covers
public import DecoderWire
internal import Files
public import SystemPackage

/// Makes covers and tells facts of clips, with a decoder process that does the decoding.
public struct CoverService: Sendable {
  private let decoder: FilePath
  private let timeout: Duration
  private let sandbox: SandboxDemand
  /// After so many clips a decoder process is replaced, so that what FFmpeg's libraries may leak does not grow for ever.
  package var mostClipsOfDecoder = 1000

  /// - Parameters:
  ///   - decoder: The decoder program; see ``ProgramLocation``.
  ///   - timeout: For the work on one clip.
  ///   - sandbox: How decoders are locked in.
  ///   - onIncompleteSandbox: Called once when a decoder works without a part of its lock-in that was asked for.
  public init(
    decoder: FilePath,
    timeout: Duration = .seconds(30),
    sandbox: SandboxMode = .auto,
    onIncompleteSandbox: @escaping @Sendable (SandboxState) -> Void = { _ in }
  ) {
    self.decoder = decoder
    self.timeout = timeout
    self.sandbox = SandboxDemand(sandbox, onIncomplete: onIncompleteSandbox)
  }

  /// Makes the decoder of a program that has one.
  ///
  /// - Throws: ``ServiceError`` when the limit on descriptors is too low.
  private func makeOnlyDecoder() throws(ServiceError) -> Decoder {
    try DescriptorLimit.makeRoomForOneDecoder()
    return makeDecoder()
  }

  func makeDecoder() -> Decoder {
    Decoder(program: decoder, timeout: timeout, sandbox: sandbox, mostClips: mostClipsOfDecoder)
  }

  /// The facts of the decoder program: its version, those of its FFmpeg libraries, and what of its lock-in holds.
  ///
  /// - Throws: ``ServiceError`` when it cannot be started.
  public func decoderHello() async throws(ServiceError) -> DecoderHello {
    let decoder = try makeOnlyDecoder()
    let hello = try await decoder.hello()
    await decoder.stop()
    return hello
  }

  /// Makes covers one after another with one decoder, and reports each as it is done.
  ///
  /// - Throws: ``ServiceError`` when no decoder can be started; what was reported until then stands.
  public func makeCovers(
    _ orders: [CoverOrder],
    report: (CoverOutcome) -> Void
  ) async throws(ServiceError) {
    let decoder = try makeOnlyDecoder()
    let folder = FilePath.currentFolder
    var taken: [CoverOrder.Destination: FilePath] = [:]
    for order in orders {
      let isDuplicate = taken[order.destination].map { $0 != order.clip } ?? false
      taken[order.destination] = order.clip
      let text = try CoverMaking.text(of: order.request)
      let making = CoverMaking(order: order, requestText: text, folder: folder, isDuplicate: isDuplicate)
      report(try await making.outcomeOfTwoTries(with: decoder))
    }
    await decoder.stop()
  }

  /// Tells the facts of clips, one after another with one decoder.
  ///
  /// - Throws: ``ServiceError`` when no decoder can be started; what was reported until then stands.
  public func probe(
    _ clips: [FilePath],
    report: (FilePath, Result<ClipFacts, CoverFailure>) -> Void
  ) async throws(ServiceError) {
    let decoder = try makeOnlyDecoder()
    for clip in clips {
      report(clip, try await facts(of: clip, with: decoder))
    }
    await decoder.stop()
  }

  private func facts(
    of clip: FilePath,
    with decoder: Decoder
  ) async throws(ServiceError)
    -> Result<ClipFacts, CoverFailure>
  {
    let file: ClipFile
    do throws(CoverFailure) {
      file = try ClipFile(opening: clip)
    } catch {
      return .failure(error)
    }
    switch try await decoder.perform(.probe, descriptors: [file.descriptor]) {
    case .facts(let facts): return .success(facts)
    case .failure(let failure): return .failure(failure)
    case .cover: return .failure(.unexpectedAnswer)
    }
  }
}

extension CoverFailure {
  /// The decoder announced a picture, and wrote another one or none.
  ///
  /// - Parameter flaw: What is wrong with the file, in words.
  static func invalidPicture(_ flaw: String) -> CoverFailure {
    CoverFailure(
      stage: .service,
      cause: .decoderNonsense,
      message: "the decoder wrote an invalid picture: \(flaw)"
    )
  }

  /// The picture cannot be sealed, so the decoder could change it after it was checked.
  static func unsealed(_ error: Errno) -> CoverFailure {
    CoverFailure(
      stage: .service,
      cause: .decoderNonsense,
      code: Int(error.rawValue),
      message: "the decoder keeps its picture open to changes (\(error.words))"
    )
  }

  /// There is no memory for the picture.
  static func cannotHold(_ error: Errno) -> CoverFailure {
    CoverFailure(
      stage: .output,
      cause: .outputFailed,
      code: Int(error.rawValue),
      message: "cannot hold the picture in memory: \(error.words)"
    )
  }

  /// A write of the decoder that failed, which goes into memory.
  var aboutMemory: CoverFailure {
    cause == .outputFailed && code != 0 ? .cannotHold(Errno(rawValue: CInt(clamping: code))) : self
  }

  /// A well-formed answer, but to another question.
  static let unexpectedAnswer = CoverFailure(
    stage: .service,
    cause: .decoderNonsense,
    message: "the decoder answered another question"
  )
}
