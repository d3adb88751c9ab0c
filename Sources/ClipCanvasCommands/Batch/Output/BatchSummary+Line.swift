internal import ClipService
internal import Covers

extension BatchSummary {
  /// Returns the summary, such as `412 clips: 400 covers made, 8 fresh, 3 incomplete, 1 failed; 6.1 s, 67 per second`.
  ///
  /// - Parameters:
  ///   - ofCovers: Whether the batch made covers.
  ///   - seconds: The duration of the batch.
  ///   - isInterrupted: Whether the batch was interrupted.
  ///   - followsLinks: Whether the batch followed links, except those that form a loop; `nil` if that is not known.
  ///   - offersRetry: Whether the command can retry known failures.
  func line(
    ofCovers: Bool,
    seconds: Double,
    isInterrupted: Bool,
    followsLinks: Bool?,
    offersRetry: Bool
  ) -> String {
    let count =
      ofCovers ? clips - failedFolders : [storyboards, sheets, animations].compactMap { $0?.clips }.max() ?? 0
    var parts: [String] = []
    if ofCovers {
      let new = degraded - freshDegraded
      parts += Self.counts("cover", made: covers, degraded: new, fresh: fresh, freshDegraded)
      parts += newProblems(incomplete, failed)
    }
    if known > 0 { parts.append(Self.knownFailures(known) + (offersRetry ? " (--retry)" : "")) }
    let skipped =
      [
        folderFailures,
        notClips > 0 ? "\(notClips) other \(notClips == 1 ? "file" : "files") skipped" : nil,
        passedLinks > 0 ? linksNotFollowed(followsLinks: followsLinks) : nil,
      ].compactMap(\.self) + notExamined
    guard count + known > 0 || removed != nil || isInterrupted else {
      return (["no clips found"] + skipped).joined(separator: ", ")
    }
    parts += skipped
    let rate = seconds > 0 ? Double(count) / seconds : 0
    let time = "\(DecimalText.of(seconds, places: 1)) s, \(DecimalText.of(rate, places: 0)) per second"
    let start = isInterrupted ? "interrupted after " : ""
    let tidying = removed.map { ["\($0) removed"] } ?? []
    let groups =
      [
        parts, Self.parts("storyboard", storyboards), Self.parts("contact sheet", sheets),
        Self.parts("animation", animations), Self.parts("other size", thumbnails), tidying, [time],
      ]
      .filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
    return "\(start)\(count) \(count == 1 ? "clip" : "clips"): \(groups.joined(separator: "; "))"
  }

  /// Returns a number of known failures in words, such as `14 known failures skipped`.
  static func knownFailures(_ count: Int) -> String { "\(count) known \(count == 1 ? "failure" : "failures") skipped" }

  /// The number of folders that failed, in words; `nil` if none did.
  private var folderFailures: String? {
    failedFolders > 0 ? "\(failedFolders) \(failedFolders == 1 ? "folder" : "folders") failed" : nil
  }

  /// Returns numbers of incomplete and failed pictures in words, without known failures and folders.
  private func newProblems(_ incomplete: Int, _ failed: Int) -> [String] {
    ["\(incomplete - knownIncomplete) incomplete", "\(failed - failedFolders - (known - knownIncomplete)) failed"]
  }

  /// What was not examined, with the options that include it.
  private var notExamined: [String] {
    Self.notExamined(otherFiles: otherFiles, defaultExclusions: defaultExclusions)
  }

  /// Returns the numbers of files and folders that were not examined, with the options that include them.
  static func notExamined(otherFiles: Int, defaultExclusions: Int) -> [String] {
    [
      otherFiles > 0 ? "\(otherFiles) other \(otherFiles == 1 ? "file" : "files") not examined (--all)" : nil,
      defaultExclusions > 0 ? "\(defaultExclusions) excluded by default (--no-default-excludes)" : nil,
    ].compactMap(\.self)
  }

  private func linksNotFollowed(followsLinks: Bool?) -> String {
    let isOne = passedLinks == 1
    let loop = isOne ? " (it forms a loop)" : " (they form loops)"
    let reason = followsLinks.map { $0 ? loop : " (use --follow)" } ?? ""
    return "\(passedLinks) \(isOne ? "link" : "links") not followed\(reason)"
  }

  /// Returns the summary of a dry run, such as `dry run: 12 to make, 8 fresh, 1 incomplete, 2 failed;
  /// 3 to remove; 0.1 s`.
  func dryLine(seconds: Double) -> String {
    let extras = [storyboards, sheets, animations, thumbnails].compactMap(\.self)
    func sum(_ covers: Int, _ count: (Counts) -> Int) -> Int { extras.reduce(covers) { $0 + count($1) } }
    let pictures = [
      "\(planned ?? 0) to make", "\(sum(fresh + freshDegraded) { $0.fresh + $0.freshDegraded }) fresh",
    ]
    let problems = newProblems(sum(incomplete) { $0.incomplete }, sum(failed) { $0.failed })
    let known = known > 0 ? ["\(Self.knownFailures(known)) (--retry)"] : []
    let tidying = removed.map { ["; \($0) to remove"] } ?? []
    let start =
      "dry run: "
      + (pictures + problems + known + [folderFailures].compactMap(\.self) + notExamined).joined(separator: ", ")
    return ([start] + tidying + ["; \(DecimalText.of(seconds, places: 1)) s"]).joined()
  }

  private static func parts(_ noun: String, _ counts: Counts?) -> [String] {
    guard let counts else { return [] }
    let new = counts.degraded - counts.freshDegraded
    return Self.counts(noun, made: counts.made, degraded: new, fresh: counts.fresh, counts.freshDegraded)
      + ["\(counts.incomplete) incomplete", "\(counts.failed) failed"]
  }

  /// Returns counts such as `12 covers made (2 degraded)` and `8 fresh`.
  private static func counts(
    _ noun: String,
    made: Int,
    degraded: Int,
    fresh: Int,
    _ freshDegraded: Int
  ) -> [String] {
    func count(_ count: Int, _ words: String, degraded: Int) -> String {
      "\(count + degraded) \(words)" + (degraded > 0 ? " (\(degraded) degraded)" : "")
    }
    return [
      count(made, "\(noun)\(made + degraded == 1 ? "" : "s") made", degraded: degraded),
      count(fresh, "fresh", degraded: freshDegraded),
    ]
  }
}
