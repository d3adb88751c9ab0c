internal import CCover
package import Covers

extension ClipDecoder {
  /// All streams, and the metadata of the recording.
  package var details: ClipDetails {
    DetailsReader(handle: openHandle).details(video: Int32(clamping: facts.streamIndex))
  }

  /// When the clip was recorded or, if that is not stored, when the file was made.
  package var captureDate: CaptureDate? {
    DetailsReader(handle: openHandle).captureDate(video: Int32(clamping: facts.streamIndex))
  }
}

extension ClipDetails {
  /// Reads the details of a clip that need not have video.
  ///
  /// - Parameters:
  ///   - clip: A descriptor open for reading; it is not closed.
  ///   - limits: Limits on the work.
  /// - Throws: `CoverFailure` with the stage `open` or `probe`.
  init(ofClipWithoutVideo clip: Int32, limits: ClipDecoder.Limits) throws(CoverFailure) {
    var cLimits = limits.forShim
    (cLimits.complete_facts, cLimits.may_lack_video) = (true, true)
    let handle = try cLimits.open(clip)
    self = DetailsReader(handle: handle).details(video: -1)
    var closing: OpaquePointer? = handle
    ccover_close(&closing)
  }
}

/// Reads the details of an open clip.
private struct DetailsReader {
  let handle: OpaquePointer

  /// - Parameter video: The index of the stream that covers are made of.
  func details(video: Int32) -> ClipDetails {
    var details = ClipDetails(streams: (0..<ccover_stream_count(handle)).map(stream))
    details.captureDate = captureDate(video: video)
    let places = ["com.apple.quicktime.location.ISO6709", "location", "location-"]
    details.location = places.lazy.compactMap { text($0).flatMap(ClipLocation.init) }.first
    details.make = text("com.apple.quicktime.make") ?? text("make")
    details.model = text("com.apple.quicktime.model") ?? text("model")
    details.software = text("com.apple.quicktime.software") ?? text("software") ?? text("encoder")
    return details
  }

  func captureDate(video: Int32) -> CaptureDate? {
    // The date that a phone writes for its album has an offset; a file that was made again keeps it.
    let dates = [
      (-1, "com.apple.quicktime.creationdate"), (-1, "creation_time"), (-1, "date"), (video, "creation_time"),
    ]
    return dates.lazy.compactMap { text($1, ofStream: $0).flatMap(CaptureDate.init) }.first
  }

  private func stream(_ index: Int32) -> ClipDetails.Stream {
    var facts = ccover_stream_facts()
    ccover_get_stream_facts(handle, index, &facts)
    var stream = ClipDetails.Stream(index: Int(index), facts)
    stream.language = text("language", ofStream: index).flatMap(Self.language)
    stream.title = text("title", ofStream: index)
    let programmes = (0..<Int32(ClipDetails.Stream.maximumProgrammes)).lazy
      .map { Int(ccover_stream_programme(handle, index, $0)) }.prefix { $0 > 0 }
    stream.programmes = programmes.isEmpty ? nil : Array(programmes)
    return stream
  }

  /// Returns a text of the clip or of a stream; `nil` if it is empty.
  ///
  /// Whatever is not UTF-8 is replaced. A text that is longer than the shim returns is cut off, and ends with `…`.
  private func text(_ key: String, ofStream stream: Int32 = -1) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(CCOVER_TEXT_SIZE))
    let maximum = bytes.count - 1
    let length = ccover_get_text(handle, stream, key, &bytes)
    guard length > 0 else { return nil }
    var text = String(decoding: bytes.prefix(min(length, maximum)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let isCut = length > maximum || text.utf8.count > maximum
    while text.utf8.count > maximum || (isCut && text.last == "\u{FFFD}") { text.removeLast() }
    while text.last?.isWhitespace == true { text.removeLast() }
    text = String(text.drop(while: \.isWhitespace))
    return text.isEmpty ? nil : isCut ? text + "…" : text
  }

  /// Returns a language code; `nil` if it stands for an unknown language or the text is not a language code.
  private static func language(_ text: String) -> String? {
    let isCode =
      (2...35).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
        default: false
        }
      }
    return isCode && text.lowercased() != "und" ? text : nil
  }
}

extension ClipDetails.Stream {
  fileprivate init(index: Int, _ facts: ccover_stream_facts) {
    self.init(index: index, kind: Kind(facts.kind))
    codec = .known(facts.codec)
    dispositions = String(fixed: facts.dispositions).split(separator: " ").map(String.init)
    switch kind {
    case .video, .artwork: setPicture(facts)
    case .audio:
      sampleRate = facts.sample_rate > 0 ? Int(facts.sample_rate) : nil
      channels = facts.channels > 0 ? Int(facts.channels) : nil
      channelLayout = .known(facts.channel_layout)
    case .subtitle, .data, .attachment: break
    }
  }

  private mutating func setPicture(_ facts: ccover_stream_facts) {
    let format = facts.format
    let orientation = Orientation(format.orientation)
    (rotation, mirrored) = (orientation.rotation, orientation.isMirrored)
    sampleAspectRatio = Rational(format.sample_aspect_ratio)
    framesPerSecond = Rational(facts.frame_rate)?.value
    pixelFormat = .known(format.colour.pixel_format)
    bitDepth = facts.bit_depth > 0 ? Int(facts.bit_depth) : nil
    matrix = .known(format.colour.matrix)
    range = .known(format.colour.range)
    transfer = .known(format.colour.transfer)
    primaries = .known(format.colour.primaries)
    guard format.width > 0, format.height > 0 else { return }
    let stored = PixelSize(width: Int(format.width), height: Int(format.height))
    let shown = CoverGeometry.uprightSize(
      stored: stored,
      sampleAspectRatio: sampleAspectRatio,
      orientation: orientation
    )
    (storedWidth, storedHeight, shownWidth, shownHeight) = (stored.width, stored.height, shown.width, shown.height)
  }
}

extension ClipDetails.Stream.Kind {
  fileprivate init(_ kind: ccover_stream_kind) {
    self =
      switch kind {
      case CCOVER_STREAM_VIDEO: .video
      case CCOVER_STREAM_AUDIO: .audio
      case CCOVER_STREAM_SUBTITLE: .subtitle
      case CCOVER_STREAM_ATTACHMENT: .attachment
      case CCOVER_STREAM_ARTWORK: .artwork
      default: .data
      }
  }
}
