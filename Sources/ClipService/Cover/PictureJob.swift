internal import Covers
internal import Files
internal import SystemPackage

/// The making of one picture of a clip, or of a storyboard.
protocol PictureJob: Sendable {
  /// Decodes the clip; its helper shares the work on sheets.
  var pictures: ClipPictures { get set }
  /// The clip that the path belongs to, according to ``CoverPathOwners``; `nil` if it is this clip or none.
  var owner: FilePath? { get set }
  /// The path of the picture, or of the storyboard's folder if its tiles have the requested width; `nil` for standard
  /// output.
  var path: FilePath? { get }
  /// Returns the path of the picture or of the storyboard's folder after it has been made.
  func path(of outcome: PictureOutcome) -> FilePath?

  /// Returns what is known of the picture before anything is decoded.
  func freshness() throws(CoverFailure) -> Freshness

  /// Makes the picture and returns the outcome.
  ///
  /// - Parameters:
  ///   - decoder: The decoder to use.
  ///   - onSheet: Called after each sheet of a storyboard except the last one.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func outcome(with decoder: RestartingDecoder, onSheet: SheetReport) async throws(ServiceError) -> PictureOutcome

  /// Returns the outcome after a failure.
  func failed(_ failure: CoverFailure, clip: ClipVersion?) -> PictureOutcome
}

/// Receives the number of sheets of a storyboard that have been made, and that of all sheets if it is known.
typealias SheetReport = (_ made: Int, _ count: Int?) -> Void

/// What is known of a picture before anything is decoded.
enum Freshness {
  /// There is nothing to do.
  case ended(PictureOutcome)
  /// The picture has to be made.
  case due(PlannedPicture)

  var isDue: Bool { if case .due = self { true } else { false } }

  /// Whether the place of the picture belongs to the clip, although the picture there does not name it yet.
  var ownsDestination: Bool {
    switch self {
    case .ended(let outcome): outcome.namesAnotherPath
    case .due: true
    }
  }
}

extension PictureJob {
  func path(of outcome: PictureOutcome) -> FilePath? { path }

  /// Returns what a run would do.
  func plan() -> Freshness {
    do throws(CoverFailure) {
      return try freshness()
    } catch {
      return .ended(failed(error, clip: nil))
    }
  }

  /// Makes the picture, with another decoder process if one breaks down, and returns the outcome.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func outcomeWithRetry(
    with decoder: RestartingDecoder,
    onSheet: SheetReport = { _, _ in }
  ) async throws(ServiceError) -> PictureOutcome {
    let wasFresh = await decoder.isFresh
    let first = try await outcome(with: decoder, onSheet: onSheet)
    guard first.failure?.isWorthAnotherDecoder(wasFresh: wasFresh) == true else { return first }
    return try await secondOutcome(with: decoder, onSheet: onSheet)
  }

  /// Makes the picture after a decoder broke down on the clip, with a new decoder process.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func secondOutcome(
    with decoder: RestartingDecoder,
    onSheet: SheetReport = { _, _ in }
  ) async throws(ServiceError) -> PictureOutcome {
    await decoder.stop()
    await pictures.helper?.stop()
    var job = self
    job.pictures.helper = nil
    var outcome = try await job.outcome(with: decoder, onSheet: onSheet)
    outcome.attempts = 2
    return outcome
  }
}

extension CoverRequest {
  /// Returns the request as stored in pictures.
  func text() throws(ServiceError) -> String {
    do {
      return String(decoding: try CanonicalJSON.line(self), as: UTF8.self)
    } catch {
      throw ServiceError("the request cannot be encoded: \(error)")
    }
  }
}

extension CoverFailure {
  /// The failure for a place that has the picture of another clip, which still exists.
  ///
  /// - Parameter advice: What to do instead of using another place; `nil` if there is nothing else.
  static func owned(
    _ path: FilePath,
    by other: FilePath,
    kind: PictureKind,
    advice: String? = nil
  ) -> CoverFailure {
    CoverFailure(
      stage: .output,
      cause: .outputDuplicate,
      message: "\(path.displayText) is the \(kind.noun) of \(other.displayText)",
      advice: advice ?? "specify another place with -o, or replace it with --force"
    )
  }
}
