internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// The facts and details of a clip, or the failure to read them.
struct ProbeRecord: Encodable {
  let clip: PictureOutcome.Clip
  let facts: ClipFacts?
  /// The details; `nil` if not even the streams are known.
  let details: ClipDetails?
  let failure: CoverFailure?
  /// The video in a motion photo.
  let embeddedVideo: EmbeddedVideo?

  /// - Parameters:
  ///   - clip: The path of the clip; `nil` for standard input.
  ///   - result: The result.
  init(clip: FilePath?, result: Result<ProbedClip, ProbeFailure>) {
    embeddedVideo = clip.flatMap { EmbeddedVideo(in: $0) }
    self.clip = .init(path: clip?.displayText ?? "-", uri: clip?.uri(in: .currentFolder))
    switch result {
    case .success(let probed): (facts, details, failure) = (probed.facts, probed.details, nil)
    case .failure(let failure): (facts, details, self.failure) = (nil, failure.details, failure.failure)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case status, clip, hasAudio, embeddedVideo
  }

  /// Encodes a flat object, like that of a cover: the clip and its facts, or the failure.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(failure == nil ? "facts" : "failed", forKey: .status)
    try container.encode(clip, forKey: .clip)
    try container.encodeIfPresent(facts?.hasAudio, forKey: .hasAudio)
    try container.encodeIfPresent(embeddedVideo, forKey: .embeddedVideo)
    try failure?.encode(to: encoder)
    try facts?.encode(to: encoder)
    try details?.encode(to: encoder)
  }
}

/// The facts of a clip as a block of text lines.
enum ProbeReport {
  private static let labelWidth = 14

  static func print(_ record: ProbeRecord) {
    let video = record.embeddedVideo.map { ("motion photo", "a video of \($0.bytes) bytes begins at byte \($0.byte)") }
    let rows = (record.facts.map(rows) ?? []) + (record.details.map(rows) ?? []) + (video.map { [$0] } ?? [])
    if !rows.isEmpty || record.details != nil { Console.print(record.clip.path) }
    for (label, value) in rows {
      Console.print("  " + label + String(repeating: " ", count: labelWidth - label.count) + value)
    }
    for line in record.details.map({ StreamTable($0.streams).lines }) ?? [] { Console.print("  " + line) }
    if let failure = record.failure { StandardError.print(failure.line(for: record.clip.path, after: nil)) }
  }

  private static func rows(_ facts: ClipFacts) -> [(label: String, value: String)] {
    let rows = [
      ("container", "\(facts.container) (\(facts.mimeType))"),
      ("codec", facts.codec),
      ("stored size", size(facts.storedWidth, facts.storedHeight)),
      ("shown size", size(facts.shownWidth, facts.shownHeight)),
      ("rotation", rotation(facts)),
      ("pixel aspect", facts.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" } ?? unknown),
      ("pixel format", facts.pixelFormat ?? unknown),
      ("matrix", facts.matrix ?? untagged),
      ("range", facts.range ?? untagged),
      ("transfer", facts.transfer ?? untagged),
      ("primaries", facts.primaries ?? untagged),
      ("duration", facts.durationSeconds.map { DecimalText.of($0, places: 3) + " s" } ?? unknown),
      ("frame rate", facts.framesPerSecond.map(rate) ?? unknown),
      ("sound", facts.hasAudio ? "yes (\(streams(facts.audioStreams)))" : "no"),
      ("video", "stream \(facts.streamIndex); \(facts.videoStreams) video, \(facts.artworkStreams) artwork"),
    ]
    return rows + (facts.earlyEnd.map { [("cut off", $0)] } ?? [])
      + (facts.nextRecordingByte.map { [("recordings", "another one begins at byte \($0)")] } ?? [])
  }

  /// Returns rows for what is known about the recording.
  private static func rows(_ details: ClipDetails) -> [(label: String, value: String)] {
    let camera = [details.make, details.model].compactMap(\.self).joined(separator: " ")
    let rows = [
      ("date", details.captureDate?.description), ("location", details.location.map(place)),
      ("camera", camera.isEmpty ? nil : camera), ("software", details.software),
    ]
    return rows.compactMap { label, value in value.map { (label, $0) } }
  }

  /// Returns a location such as `48.85770° N, 2.29500° E, 35 m`; five decimal places are about a metre.
  private static func place(_ location: ClipLocation) -> String {
    func angle(_ degrees: Double, _ positive: String, _ negative: String) -> String {
      "\(DecimalText.of(abs(degrees), places: 5))° \(degrees < 0 ? negative : positive)"
    }
    let parts = [angle(location.latitude, "N", "S"), angle(location.longitude, "E", "W")]
    return (parts + (location.altitude.map { ["\(DecimalText.of($0, places: 0)) m"] } ?? [])).joined(separator: ", ")
  }

  /// Returns a frame rate such as `29.970 frames per second`; that of a slideshow as the time between two frames.
  private static func rate(_ framesPerSecond: Double) -> String {
    framesPerSecond < 0.1
      ? "a frame every \(DecimalText.of(1 / framesPerSecond, places: 0...3)) s"
      : DecimalText.of(framesPerSecond, places: 3) + " frames per second"
  }

  private static let unknown = "unknown"
  private static let untagged = "not tagged"

  private static func size(_ width: Int, _ height: Int) -> String {
    width > 0 && height > 0 ? "\(width)×\(height)" : unknown
  }

  private static func rotation(_ facts: ClipFacts) -> String {
    let turn = facts.rotation == 0 ? "none" : "\(facts.rotation)° clockwise"
    return facts.mirrored ? "mirrored, then \(turn)" : turn
  }

  private static func streams(_ count: Int) -> String {
    count == 1 ? "1 stream" : "\(count) streams"
  }
}
