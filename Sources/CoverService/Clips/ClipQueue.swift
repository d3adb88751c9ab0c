internal import Synchronization
internal import SystemPackage

/// The clips of a batch, handed out one after another to several workers.
///
/// They are looked up on a queue of their own, as a slow disk or a list that comes through a pipe would otherwise hold up
/// the threads that run tasks; and many at a time, as going there takes longer than looking up a name.
final class ClipQueue: Sendable {
  private let source: QueueConfined<ClipSource>
  /// What was looked up and not handed out yet, the next one last.
  private let waiting = Mutex<[Finding]>([])
  private let mostWaiting: Int
  private let isStopped: Flag

  /// Shared with the source, which looks at it on its own queue.
  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  /// - Throws: ``ServiceError`` when the list cannot be opened.
  init(_ selection: ClipSelection) throws(ServiceError) {
    let stop = Flag()
    isStopped = stop
    let clips = try ClipSource(selection) { stop.isSet.load(ordering: .relaxed) }
    source = QueueConfined(label: "clipcanvas.clips", clips)
    // Who writes into a pipe may wait for the cover of a clip before naming the next one.
    mostWaiting = selection.listIsPassing ? 1 : 64
  }

  /// - Throws: ``ServiceError`` when the list cannot be read.
  func next() async throws(ServiceError) -> Finding? {
    if let finding = takeWaiting() { return finding }
    let result: Result<Finding?, ServiceError> = await source.use { [self] source in
      // While this worker stood in line another one may have looked up more than it took itself.
      if let finding = takeWaiting() { return .success(finding) }
      do throws(ServiceError) {
        return .success(try lookUp(in: &source))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Gives no more than what is known already, and no longer waits for a list.
  func stop() { isStopped.isSet.store(true, ordering: .relaxed) }

  /// Symbolic links that were not followed until now.
  var passedLinks: Int {
    get async { await source.use { $0.passedLinks } }
  }

  private func takeWaiting() -> Finding? { waiting.withLock { $0.popLast() } }

  /// Looks up many and gives the first; called on the queue, when none is waiting.
  private func lookUp(in source: inout ClipSource) throws(ServiceError) -> Finding? {
    var findings: [Finding] = []
    while findings.count < mostWaiting, let finding = try source.next() {
      findings.append(finding)
    }
    findings.reverse()
    let first = findings.popLast()
    waiting.withLock { [findings] in $0 = findings }
    return first
  }
}
