internal import Covers

/// The facts of one clip, or why there are none.
struct ProbeRecord: Encodable {
  let path: String
  let facts: ClipFacts?
  let failure: CoverFailure?

  init(path: String, result: Result<ClipFacts, CoverFailure>) {
    self.path = path
    switch result {
    case .success(let facts): (self.facts, failure) = (facts, nil)
    case .failure(let failure): (facts, self.failure) = (nil, failure)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case path, hasAudio, failure
  }

  /// One flat object: the path and the facts, or the path and the failure.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encodeIfPresent(facts?.hasAudio, forKey: .hasAudio)
    try container.encodeIfPresent(failure, forKey: .failure)
    try facts?.encode(to: encoder)
  }
}

/// The facts of a clip as a block of lines for a person.
enum ProbeReport {
  private static let labelWidth = 14

  static func print(_ record: ProbeRecord) {
    if let facts = record.facts {
      Console.print(record.path)
      for (label, value) in rows(facts) {
        Console.print("  " + label + String(repeating: " ", count: labelWidth - label.count) + value)
      }
    } else if let failure = record.failure {
      Console.complain("cannot tell the facts of \(record.path): \(failure.explanation)")
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
      ("frame rate", facts.framesPerSecond.map { DecimalText.of($0, places: 3) + " frames a second" } ?? unknown),
      ("sound", facts.hasAudio ? "yes (\(streams(facts.audioStreams)))" : "no"),
      ("video", "stream \(facts.streamIndex) of \(streams(facts.videoStreams)), \(facts.artworkStreams) artwork"),
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
