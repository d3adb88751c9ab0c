internal import Synchronization
internal import SystemPackage

/// An iterator over clips.
protocol ClipFinder {
  /// What was not examined among the files, folders and links that were found.
  var passedOver: PassedOver { get }

  /// - Throws: ``ServiceError`` if there may be further clips that cannot be found.
  mutating func next() throws(ServiceError) -> Finding?
}

/// The clips of a batch, distributed to several workers.
///
/// Clips are looked up on a separate queue, because a slow disk or a list read from a pipe would otherwise block the
/// threads that run tasks. Many are looked up at a time, because switching to that queue takes longer than looking up a
/// name.
final class ClipQueue: Sendable {
  private let source: QueueConfined<any ClipFinder>
  /// The clips that have been looked up but not yet handed out, in reverse order.
  private let waiting = Mutex<[Finding]>([])
  private let maximumWaiting: Int
  /// The source reads it on its own queue.
  private let stopFlag: StopFlag

  /// - Throws: ``ServiceError`` if the list cannot be opened.
  convenience init(_ selection: ClipSelection) throws(ServiceError) {
    // A program that writes to a pipe may wait for the cover of one clip before it names the next.
    try self.init(isPassing: selection.listIsPassing) { isStopped throws(ServiceError) in
      try ClipSource(selection, isStopped: isStopped)
    }
  }

  /// - Parameters:
  ///   - isPassing: Whether a clip is handed out before the next one is looked up.
  ///   - makeFinder: Creates the iterator over the clips, from a function that returns whether to stop.
  init(
    isPassing: Bool,
    makeFinder: (_ isStopped: @escaping @Sendable () -> Bool) throws(ServiceError) -> sending any ClipFinder
  ) throws(ServiceError) {
    let stop = StopFlag()
    stopFlag = stop
    source = QueueConfined(label: "clipcanvas.clips", try makeFinder { stop.isSet })
    maximumWaiting = isPassing ? 1 : 64
  }

  /// - Throws: ``ServiceError`` if the list cannot be read.
  func next() async throws(ServiceError) -> Finding? {
    if let finding = takeWaiting() { return finding }
    let result: Result<Finding?, ServiceError> = await source.use { [self] source in
      // While this worker was waiting, another one may have looked up more clips than it took.
      if let finding = takeWaiting() { return .success(finding) }
      do throws(ServiceError) {
        return .success(try lookUp(in: &source))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Stops looking up clips and waiting for a list; clips already looked up are still handed out.
  func stop() { stopFlag.set() }

  /// Whether looking up clips was stopped.
  var isStopped: Bool { stopFlag.isSet }

  /// What was not examined among the files, folders and links that were found.
  var passedOver: PassedOver {
    get async { await source.use { $0.passedOver } }
  }

  private func takeWaiting() -> Finding? { waiting.withLock { $0.popLast() } }

  /// Looks up many clips and returns the first; called on the queue when none are waiting.
  private func lookUp(in source: inout any ClipFinder) throws(ServiceError) -> Finding? {
    var findings: [Finding] = []
    while findings.count < maximumWaiting, let finding = try source.next() {
      findings.append(finding)
    }
    findings.reverse()
    let first = findings.popLast()
    waiting.withLock { [findings] in $0 = findings }
    return first
  }
}
