internal import Covers
internal import DecoderWire
internal import Files
internal import SystemPackage

/// Why a composer was stopped.
enum ComposerFault: Error {
  /// It did not answer as it should.
  case wire(WireError)
  /// It exceeded a bound; the text describes how.
  case excess(String)
  /// All its work together took longer than it may.
  case endless(Duration)
}

/// The supervision of a composer, which may be under an attacker's control: its progress, its file and its threads.
struct ComposerWatch {
  /// The time between two checks.
  static let step = Duration.milliseconds(250)
  /// How far a file may grow beyond its bound before the kernel stops it, in bytes, so that the excess is detected.
  static let fileMargin = 1 << 20

  private let bounds: ComposerBounds
  /// The longest time without progress.
  private let interval: Duration
  private let file: FileDescriptor?
  private let clips: Int
  private var progress = 0
  /// The time since the last progress, and since the beginning.
  private var (waited, waitedInAll) = (Duration.zero, Duration.zero)
  private var last = ContinuousClock.now

  init(_ bounds: ComposerBounds, interval: Duration, file: FileDescriptor?, clips: Int) {
    (self.bounds, self.interval, self.file, self.clips) = (bounds, interval, file, clips)
  }

  /// Checks the time, and what the composer uses.
  ///
  /// While this process was stopped, for example with Ctrl-Z, or the machine slept, it has not waited for the composer.
  /// So the time since the last check counts as little more than it should be.
  ///
  /// - Parameter threads: The number of its threads, if that is known.
  mutating func check(threads: Int?) throws(ComposerFault) {
    let now = ContinuousClock.now
    let time = min(now - last, Self.step * 2)
    last = now
    waited += time
    waitedInAll += time
    guard waited < interval else { throw .wire(.timedOut) }
    let most = interval * bounds.intervals
    guard waitedInAll < most else { throw .endless(most) }
    if let threads, threads > bounds.threads { throw .excess("started \(threads) threads") }
    if let file, let status = try? FileStatus(of: file), status.bytes > bounds.fileBytes {
      throw .excess("wrote more than its clips can result in")
    }
  }

  /// Notes a reply that reports progress, and checks that the work has progressed by its next part.
  mutating func note(_ reply: ComposerReply) throws(ComposerFault) {
    let (now, least, most): (Int, Int, Int) =
      switch reply {
      case .progress(let bytes): (bytes, ComposerReply.bytesBetweenReports, .max)
      case .measuring(let clips): (clips, 1, self.clips)
      case .composing(let frames, _): (frames, ComposerReply.framesBetweenReports(after: progress), .max)
      case .measured, .composed, .remuxed, .failure: (0, 1, 0)
      }
    guard now - progress >= least, now <= most else { throw .wire(.invalidMessage("implausible progress")) }
    (progress, waited) = (now, .zero)
  }
}

extension CoverFailure {
  /// Creates a failure for a composer that was stopped.
  init(after fault: ComposerFault, ending: ProcessEnding, timeout: Duration) {
    switch fault {
    case .wire(let error): self.init(after: error, ending: ending, of: .composer, timeout: timeout)
    case .excess(let what):
      self.init(stage: .service, cause: .invalidReply, message: "the composer \(what) and was stopped")
    case .endless(let time):
      self.init(
        stage: .service,
        cause: .timedOut,
        message: "the composer did not finish within \(time.components.seconds) seconds and was stopped",
        advice: .longerTimeout
      )
    }
  }
}
