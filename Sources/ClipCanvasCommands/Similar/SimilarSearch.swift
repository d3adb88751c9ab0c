internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import Synchronization
internal import SystemPackage

/// The search for clips that are identical or look alike.
///
/// Problems are printed when they occur.
struct SimilarSearch: Sendable {
  /// The largest distance of the hashes of frames that are alike.
  let distance: Int

  /// What was found.
  struct Result: Sendable {
    let groups: [SimilarGroup]
    /// The line for people, such as `412 clips: 2 groups of identical clips, 5 groups that look alike; 3.1 s`.
    let summary: String
    /// Whether some clips could not be compared.
    let hasProblems: Bool
  }

  /// Searches the clips of reports.
  ///
  /// - Throws: `CommandError` if a report cannot be read.
  func run(reports: [FilePath]) async throws -> Result {
    let start = ContinuousClock.now
    var reported = ReportedClips()
    for report in reports { try reported.add(report) }
    let clips = Self.sorted(reported.clips)
    let identical = await IdenticalClips.find(in: clips)
    for line in reported.problems { StandardError.print(line) }
    if let first = identical.failures.first {
      let (count, path) = (identical.failures.count, clips[first.clip].file.path)
      StandardError.print(
        "warning: the content of \(count) \(count == 1 ? "clip" : "clips") was not compared, such as \(path): "
          + first.failure.message
      )
    }
    let groups = groups(of: clips, identical: identical.groups)
    return Result(
      groups: groups,
      summary: Self.summary(groups, of: clips.count, after: start),
      hasProblems: reported.damagedLines > 0
    )
  }

  /// Searches clips that decoders examine.
  ///
  /// - Throws: `ServiceError` if no decoder can be started.
  func run(_ selection: ClipSelection, with service: CoverService, jobs: Int) async throws -> Result {
    let start = ContinuousClock.now
    let examination = Mutex(Examination())
    let counting = StatusLine.isPossible ? Task(priority: .low) { await selection.count() } : nil
    let setting = Task {
      if let total = await counting?.value { examination.withLock { $0.setTotal(total) } }
    }
    defer {
      counting?.cancel()
      setting.cancel()
    }
    let passedOver = try await service.examine(selection, jobs: jobs) { event in
      examination.withLock { $0.add(event) }
    }
    var (clips, failures) = examination.withLock { ($0.clips, $0.failures) }
    clips = Self.sorted(clips)
    let identical = await IdenticalClips.find(in: clips)
    examination.withLock { $0.clear() }
    for (clip, failure) in identical.failures {
      StandardError.print(failure.line(for: clips[clip].file.path, after: nil))
    }
    failures += identical.failures.count
    let groups = groups(of: clips, identical: identical.groups)
    let notes =
      (failures > 0 ? ["\(failures) failed"] : [])
      + BatchSummary.notExamined(
        otherFiles: passedOver.otherFiles,
        defaultExclusions: passedOver.defaultExclusions
      )
    return Result(
      groups: groups,
      summary: Self.summary(groups, of: clips.count, notes, after: start),
      hasProblems: failures > 0
    )
  }

  /// Returns the clips in the order of their paths, without further names of the same file.
  private static func sorted(_ clips: [ComparedClip]) -> [ComparedClip] {
    var files: Set<FileIdentity> = []
    return clips.map { (bytes: $0.path.bytes, clip: $0) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      .map(\.clip)
      .filter { clip in clip.identity.map { files.insert($0).inserted } ?? true }
  }

  private func groups(of clips: [ComparedClip], identical: [[Int]]) -> [SimilarGroup] {
    // The content of a clip is identified by the first clip that has it.
    var contents = Array(clips.indices)
    for group in identical { for clip in group { contents[clip] = group[0] } }
    let looks = clips.map { clip in
      var look = clip.look
      if let size = clip.size { look.noteAspectRatio(of: size) }
      return look
    }
    return LikenessGroups.groups(of: looks, joining: identical, distance: distance).map { group in
      SimilarGroup(group.map { clips[$0] }, contents: group.map { contents[$0] })
    }
  }

  private static func summary(
    _ groups: [SimilarGroup],
    of clips: Int,
    _ notes: [String] = [],
    after start: ContinuousClock.Instant
  ) -> String {
    guard clips > 0 else { return (["no clips found"] + notes).joined(separator: ", ") }
    let identical = groups.count { $0.similarity == .identical }
    let counts = [(identical, "of identical clips"), (groups.count - identical, "of clips that look alike")]
      .filter { $0.0 > 0 }.map { count, kind in "\(count) \(count == 1 ? "group" : "groups") \(kind)" }
    let found = (counts.isEmpty ? ["no identical or similar ones"] : counts) + notes
    let seconds = DecimalText.of(start.duration(to: .now) / .seconds(1), places: 1)
    return "\(clips) \(clips == 1 ? "clip" : "clips"): \(found.joined(separator: ", ")); \(seconds) s"
  }
}

/// What decoders have found out about clips, and the progress of that.
private struct Examination {
  private(set) var clips: [ComparedClip] = []
  private(set) var failures = 0
  private var progress: ProgressLine?

  init() {
    guard StatusLine.isPossible else { return }
    progress = ProgressLine(start: .now)
    progress?.missing = "a picture"
  }

  mutating func setTotal(_ total: Int) { progress?.total = total }

  mutating func clear() { progress?.clear() }

  mutating func add(_ event: LikenessEvent) {
    switch event {
    case .began(let clip): progress?.begin(clip)
    case .wasNoClip: progress?.end(isProblem: false)
    case .ended(let clip, let failure):
      clips.append(clip)
      end(clip.path, failure)
    case .failed(let path, let failure): end(path, failure)
    }
  }

  private mutating func end(_ path: FilePath, _ failure: CoverFailure?) {
    progress?.end(isProblem: failure != nil)
    guard let failure else { return }
    failures += 1
    progress?.clear()
    StandardError.print(failure.line(for: path.displayText, after: nil))
  }
}
