internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// The complete report of a shard.
struct ShardReport {
  let path: FilePath
  let shard: ReportedShard

  /// The maximum length of the last line.
  private static let maximumSummaryBytes = 1 << 16

  /// Reads the end of a report; fails if it is not complete.
  ///
  /// - Throws: If the file cannot be read, or is not the report of a shard.
  init?(at path: FilePath) throws(CommandError) {
    let file = try Self.open(path)
    defer { try? file.close() }
    guard let summary = Self.summary(of: file) else {
      guard ReportFile.isReport(file) || Self.isCutShort(file) else {
        throw Self.problem(path, "is not a report; name a file that 'clipcanvas batch --report' wrote")
      }
      return nil
    }
    guard let shard = summary.shard else {
      throw Self.problem(path, "is not the report of a shard: it was made without --shard, or by an earlier version")
    }
    guard shard.isKnownFormat else {
      throw Self.problem(path, "was written by a newer version of clipcanvas; merge the reports with that version")
    }
    guard summary.isPlausible else { throw Self.problem(path, "is damaged: no run has the numbers of its summary") }
    guard !summary.isInterrupted else { return nil }
    (self.path, self.shard) = (path, shard)
  }

  /// Opens a report.
  static func open(_ path: FilePath) throws(CommandError) -> FileDescriptor {
    do {
      let status = try FileStatus(of: path)
      guard !status.isFolder else { throw problem(path, "is a folder; name the reports in it") }
      guard status.kind == .regular else { throw problem(path, "is not a regular file") }
      return try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    } catch {
      throw error as? CommandError ?? problem(path, "cannot be read: \((error as? Errno)?.message ?? "\(error)")")
    }
  }

  static func problem(_ path: FilePath, _ text: String) -> CommandError {
    CommandError(.cannotContinue, "\(path.displayText) \(text)")
  }

  /// Returns the summary in the last line; `nil` if that line is something else or is cut short.
  private static func summary(of file: FileDescriptor) -> SummaryRecord.Summary? {
    let newline = UInt8(ascii: "\n")
    guard let size = try? FileStatus(of: file).bytes else { return nil }
    let end = file.bytes(at: max(0, size - maximumSummaryBytes), count: min(size, maximumSummaryBytes))
    guard end.last == newline, let line = end.split(separator: newline).last else { return nil }
    return (try? CanonicalJSON.decode(SummaryRecord.self, from: line))?.summary
  }

  /// Whether a file ends within its first record, or before.
  private static func isCutShort(_ file: FileDescriptor) -> Bool {
    let start = file.bytes(at: 0, count: maximumSummaryBytes)
    return start.isEmpty || (start.starts(with: #"{""#.utf8) && !start.contains(UInt8(ascii: "\n")))
  }
}
