internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// The clips in reports of batches.
struct ReportedClips {
  /// The clips, each once, as the last report describes it.
  private(set) var clips: [ComparedClip] = []
  /// The number of covers without a hash.
  private var withoutHash = 0
  /// The number of lines that are not records.
  private(set) var damagedLines = 0
  /// The first of them, with its report.
  private var firstDamagedLine = ""

  /// The lines for people about records that were not used.
  var problems: [String] {
    var lines: [String] = []
    if damagedLines > 0 {
      lines.append(
        "\(damagedLines) damaged \(damagedLines == 1 ? "line was" : "lines were") skipped; the first is \(firstDamagedLine)"
      )
    }
    if withoutHash > 0 {
      lines.append(
        "warning: \(withoutHash) \(withoutHash == 1 ? "cover has" : "covers have") no hash; to add it, run the batch again "
          + "with --force"
      )
    }
    return lines
  }

  /// The index of each clip, by its URI.
  private var indexes: [String: Int] = [:]

  /// A record of a report.
  private struct Record: Decodable {
    struct Clip: Decodable {
      let path: String
      let uri: String?
      let bytes, mtimeNanoseconds: Int?
    }

    struct Summary: Decodable {}

    let clip: Clip?
    let status: String?
    let summary: Summary?
    let requestedTime, codec: String?
    let storedWidth, storedHeight, rotation: Int?
    let sampleAspectRatio: Rational?
    let durationSeconds, lumaVariance: Double?
    let perceptualHash: PerceptualHash?

    /// The display size, if it is known.
    var shownSize: PixelSize? {
      guard let storedWidth, let storedHeight else { return nil }
      // Containers store 32-bit numbers. Larger ones could overflow below.
      let numbers = [
        storedWidth, storedHeight, sampleAspectRatio?.numerator ?? 1, sampleAspectRatio?.denominator ?? 1,
      ]
      guard numbers.allSatisfy({ (1...Int(Int32.max)).contains($0) }) else { return nil }
      return CoverGeometry.uprightSize(
        stored: PixelSize(width: storedWidth, height: storedHeight),
        sampleAspectRatio: sampleAspectRatio,
        orientation: Orientation(transposes: [90, 270].contains(rotation))
      )
    }
  }

  /// Returns the paths of reports; a file of JSON that is not a report is an error.
  static func reports(among paths: [FilePath]) throws(CommandError) -> [FilePath] {
    var reports: [FilePath] = []
    for path in paths where (try? FileStatus(of: path))?.kind == .regular {
      let file = try ShardReport.open(path)
      defer { try? file.close() }
      guard file.bytes(at: 0, count: 1) == [UInt8(ascii: "{")] else { continue }
      guard ReportFile.isReport(file) else {
        throw ShardReport.problem(path, "is not a report; name a file that 'clipcanvas batch --report' wrote")
      }
      reports.append(path)
    }
    return reports
  }

  /// Adds the clips of a report, line by line.
  ///
  /// - Throws: If the report cannot be read.
  mutating func add(_ report: FilePath) throws(CommandError) {
    var lines = try RecordLines(at: report)
    while let line = try lines.next() {
      let record = try? CanonicalJSON.decode(Record.self, from: line)
      guard let record, record.summary != nil || (record.clip != nil && record.status != nil) else {
        damagedLines += 1
        if damagedLines == 1 { firstDamagedLine = "line \(lines.number) of \(report.displayText)" }
        continue
      }
      add(record)
    }
  }

  /// Adds the clip of a record of a cover.
  private mutating func add(_ record: Record) {
    guard record.requestedTime != nil, let file = record.clip, let uri = file.uri, let path = FilePath(uri: uri),
      let bytes = file.bytes
    else { return }
    var clip = ComparedClip(
      path: path,
      file: .init(path: file.path, uri: uri, bytes: bytes, mtimeNanoseconds: file.mtimeNanoseconds)
    )
    if let hash = record.perceptualHash {
      clip.look = ClipLook(first: FrameLook(hash: hash, lumaVariance: record.lumaVariance ?? 0))
    }
    (clip.size, clip.durationSeconds, clip.codec) = (record.shownSize, record.durationSeconds, record.codec)
    let lacksHash = record.perceptualHash == nil && ["cover", "fresh", "degraded"].contains(record.status)
    if let index = indexes[uri] {
      clips[index] = clip
    } else {
      indexes[uri] = clips.count
      clips.append(clip)
    }
    withoutHash += lacksHash ? 1 : 0
  }
}
