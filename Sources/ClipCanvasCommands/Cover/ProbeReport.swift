internal import BoardText
internal import Covers
internal import Files
internal import SystemPackage

/// The facts of a clip, or the failure to read them.
struct ProbeRecord: Encodable {
  let clip: CoverOutcome.Clip
  let facts: ClipFacts?
  let failure: CoverFailure?

  init(clip: FilePath, result: Result<ClipFacts, CoverFailure>) {
    self.clip = .init(path: clip.displayText, uri: clip.uri(in: .currentFolder))
    switch result {
    case .success(let facts): (self.facts, failure) = (facts, nil)
    case .failure(let failure): (facts, self.failure) = (nil, failure)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case status, clip, hasAudio
  }

  /// Encodes a flat object, like that of a cover: the clip and its facts, or the failure.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(failure == nil ? "facts" : "failed", forKey: .status)
    try container.encode(clip, forKey: .clip)
    try container.encodeIfPresent(facts?.hasAudio, forKey: .hasAudio)
    try failure?.encode(to: encoder)
    try facts?.encode(to: encoder)
  }
}

/// The facts of a clip as a block of text lines.
enum ProbeReport {
  private static let labelWidth = 14

  static func print(_ record: ProbeRecord) {
    if let facts = record.facts {
      Console.print(record.clip.path)
      for (label, value) in rows(facts) {
        Console.print("  " + label + String(repeating: " ", count: labelWidth - label.count) + value)
      }
    } else if let failure = record.failure {
      StandardError.print(failure.line(for: record.clip.path, command: .other))
    }
  }

  private static func rows(_ facts: ClipFacts) -> [(label: String, value: String)] {
    [
      ("container", "\(facts.container) (\(facts.mimeType))"),
      ("codec", facts.codec),
      ("stored size", "\(facts.storedWidth)×\(facts.storedHeight)"),
      ("shown size", "\(facts.shownWidth)×\(facts.shownHeight)"),
      ("rotation", rotation(facts)),
      ("pixel aspect", facts.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" } ?? unknown),
      ("pixel format", facts.pixelFormat ?? unknown),
      ("matrix", facts.matrix ?? untagged),
      ("range", facts.range ?? untagged),
      ("transfer", facts.transfer ?? untagged),
      ("primaries", facts.primaries ?? untagged),
      ("duration", facts.durationSeconds.map { DecimalText.of($0, places: 3) + " s" } ?? unknown),
      ("frame rate", facts.framesPerSecond.map { DecimalText.of($0, places: 3) + " frames per second" } ?? unknown),
      ("sound", facts.hasAudio ? "yes (\(streams(facts.audioStreams)))" : "no"),
      ("video", "stream \(facts.streamIndex); \(facts.videoStreams) video, \(facts.artworkStreams) artwork"),
    ]
  }

  private static let unknown = "unknown"
  private static let untagged = "not tagged"

  private static func rotation(_ facts: ClipFacts) -> String {
    let turn = facts.rotation == 0 ? "none" : "\(facts.rotation)° clockwise"
    return facts.mirrored ? "mirrored, then \(turn)" : turn
  }

  private static func streams(_ count: Int) -> String {
    count == 1 ? "1 stream" : "\(count) streams"
  }
}
