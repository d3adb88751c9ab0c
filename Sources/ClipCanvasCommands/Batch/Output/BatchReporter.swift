internal import ClipService
internal import Files
internal import Synchronization
internal import SystemPackage

/// Reports the progress and the results of a batch, with a ``BatchOutput`` that it protects from concurrent use.
final class BatchReporter: Sendable {
  private let output: Mutex<BatchOutput>
  private let counting: Task<Int?, Never>?

  /// - Throws: An exit status if the report or the gallery cannot be opened.
  init(
    _ options: BatchOutputOptions,
    clips: ClipSelection,
    shard: ReportedShard?,
    makesCovers: Bool,
    isForced: Bool,
    offersRetry: Bool
  ) throws {
    var output = try BatchOutput(options, title: clips.title, shard: shard, isForced: isForced, sparing: clips.inputs)
    (output.makesCovers, output.followsLinks, output.offersRetry) = (makesCovers, clips.walk.followsLinks, offersRetry)
    counting = output.showsProgress ? Task(priority: .low) { await clips.count() } : nil
    self.output = Mutex(output)
  }

  /// Updates the progress line periodically.
  func startClock() -> Task<Void, Never> {
    Task {
      if let total = await counting?.value { output.withLock { $0.progress?.total = total } }
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(500))
        output.withLock { $0.progress?.draw() }
      }
    }
  }

  /// Reports an event.
  func report(_ event: BatchEvent) { output.withLock { $0.report(event) } }

  /// Reports an event of a watch.
  func report(_ event: WatchEvent) { output.withLock { $0.report(event) } }

  /// Reports the end of the batch.
  func finish(_ summary: BatchSummary, isInterrupted: Bool) throws {
    counting?.cancel()
    try output.withLock { try $0.finish(summary, isInterrupted: isInterrupted) }
  }
}

extension ClipSelection {
  /// The title of the gallery: the names of the given folders and clips.
  fileprivate var title: String {
    paths.isEmpty
      ? "Covers"
      : paths.map { $0.lastComponent.map { FilePath(root: nil, [$0]) } ?? $0 }
        .map(\.displayText).joined(separator: ", ")
  }

  /// The input files named on the command line, which no output may replace.
  fileprivate var inputs: [FileIdentity: String] {
    var inputs: [FileIdentity: String] = [:]
    for path in paths { if let clip = FileIdentity(of: path) { inputs[clip] = "a clip of this run" } }
    if let list, list != "-", let identity = FileIdentity(of: list) { inputs[identity] = "the list of clips" }
    return inputs
  }
}
