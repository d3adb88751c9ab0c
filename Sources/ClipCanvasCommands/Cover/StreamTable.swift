internal import BoardSupport
internal import Covers

/// The streams of a clip as aligned lines of text.
struct StreamTable {
  private let streams: [ClipDetails.Stream]
  /// Whether the clip has several programmes, which are named then.
  private let namesProgrammes: Bool

  init(_ streams: [ClipDetails.Stream]) {
    self.streams = streams
    namesProgrammes = Set(streams.flatMap { $0.programmes ?? [] }).count > 1
  }

  /// The lines: `1  audio  aac  48000 Hz, stereo, eng, "Commentary" (default)`.
  var lines: [String] {
    let columns = streams.map { ["\($0.index)", $0.kind.rawValue, $0.codec ?? "unknown"] }
    let widths = (0..<3).map { column in columns.map { $0[column].count }.max() ?? 0 }
    return zip(streams, columns).map { stream, columns in
      let words = zip(columns, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) } + [facts(stream)]
      return Self.trimmed(words.joined(separator: "  "))
    }
  }

  private func facts(_ stream: ClipDetails.Stream) -> String {
    let title = stream.title.map { "\"\($0)\"" }
    let programmes = namesProgrammes ? (stream.programmes ?? []).map { "programme \($0)" } : []
    let texts = [stream.language, title] + programmes
    let facts = (Self.picture(stream) + Self.sound(stream) + texts).compactMap(\.self).joined(separator: ", ")
    let dispositions = stream.dispositions.filter { $0 != "attached_pic" }.joined(separator: ", ")
    return [facts, dispositions.isEmpty ? "" : "(\(dispositions))"].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func picture(_ stream: ClipDetails.Stream) -> [String?] {
    let size = stream.storedWidth.flatMap { width in stream.storedHeight.map { "\(width)×\($0)" } }
    let shown = stream.shownWidth.flatMap { width in stream.shownHeight.map { "\(width)×\($0)" } }
    let turn = stream.rotation.flatMap { $0 == 0 ? nil : "rotated \($0)°" }
    let rate = stream.framesPerSecond.map { "\(trimmedZeros(DecimalText.of($0, places: 3))) fps" }
    let colours = [stream.matrix, stream.primaries, stream.transfer].compactMap(\.self)
    let colour = Set(colours).count == 1 ? colours.first : colours.isEmpty ? nil : colours.joined(separator: "/")
    return [
      size, turn ?? (shown == size ? nil : shown.map { "shown as \($0)" }), stream.mirrored == true ? "mirrored" : nil,
      rate, stream.pixelFormat, stream.bitDepth.map { "\($0) bits" }, colour, stream.range,
    ]
  }

  private static func sound(_ stream: ClipDetails.Stream) -> [String?] {
    let channels = stream.channels.map { "\($0) channel\($0 == 1 ? "" : "s")" }
    return [stream.sampleRate.map { "\($0) Hz" }, stream.channelLayout ?? channels]
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func trimmedZeros(_ number: String) -> String {
    var number = number
    while number.last == "0" { number.removeLast() }
    if number.last == "." { number.removeLast() }
    return number
  }
}
