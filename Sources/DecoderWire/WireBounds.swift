package import Covers

/// Limits on the contents of a decoder's messages.
///
/// A compromised decoder must not be able to flood the screen or cause a number to overflow. A decoder that follows the
/// protocol stays far below these limits.
enum WireBounds {
  /// The maximum length in bytes of a name, such as a codec name.
  static let name = 128
  /// The maximum length in bytes of a sentence.
  static let sentence = 1024
  /// The maximum number of sentences or names in a list.
  static let list = 64
  /// The maximum time, more than a hundred years in seconds or milliseconds.
  static let time = 1e13
  /// The maximum count of pixels, of bits or of streams.
  static let count = 1 << 40
  /// The maximum size of a file, or of several files together, in bytes.
  static let bytes = 1 << 60

  static func isName(_ text: String?) -> Bool { text.map { $0.utf8.count <= name } ?? true }

  static func isSentence(_ text: String?) -> Bool { text.map { $0.utf8.count <= sentence } ?? true }

  static func isTime(_ number: Double?) -> Bool { number.map { $0.isFinite && abs($0) <= time } ?? true }

  static func isCount(_ number: Int?) -> Bool { number.map { (0...count).contains($0) } ?? true }

  static func isSize(_ number: Int) -> Bool { (0...bytes).contains(number) }
}

extension CoverFailure {
  /// Whether its texts are within the limits of a decoder's messages.
  package var isWithinBounds: Bool {
    WireBounds.isSentence(message) && WireBounds.isSentence(advice) && Int32(exactly: code) != nil
  }
}

extension CoverFacts {
  /// Whether all values are within the limits of a decoder's messages.
  package var isWithinBounds: Bool {
    let names = [container, codec, pixelFormat, matrix, range, transfer, primaries, assumedMatrix]
    let counts = [width, height, storedWidth, storedHeight, dolbyVisionProfile]
    let stages = milliseconds.map { [$0.open, $0.decode, $0.convert, $0.encode] } ?? []
    let numbers = [actualTime, durationSeconds, frameRate, meanLuma, lumaVariance] + stages
    return names.allSatisfy(WireBounds.isName) && counts.allSatisfy(WireBounds.isCount)
      && numbers.allSatisfy(WireBounds.isTime) && [0, 90, 180, 270].contains(rotation)
      && (score?.isWithinBounds ?? true) && (tiles?.isWithinBounds ?? true)
      && (frames?.isWithinBounds ?? true) && warnings.count <= WireBounds.list
      && warnings.allSatisfy(WireBounds.isSentence)
  }
}

extension CoverFacts.Tiles {
  /// Whether all values are within the limits of a decoder's messages.
  fileprivate var isWithinBounds: Bool {
    [width, height].allSatisfy(WireBounds.isCount) && times.count <= SheetPlan.maximumCapacity
      && (0...times.count).contains(damaged) && looks?.count ?? times.count == times.count
      && (looks ?? []).allSatisfy { WireBounds.isTime($0?.lumaVariance) }
      && times.allSatisfy(WireBounds.isTime)
  }
}

extension CoverFacts.Frames {
  /// Whether all values are within the limits of a decoder's messages.
  fileprivate var isWithinBounds: Bool { [count, milliseconds, quality, damaged].allSatisfy(WireBounds.isCount) }
}

extension FrameScore {
  /// Whether all values are within the limits of a decoder's messages.
  fileprivate var isWithinBounds: Bool {
    [total, entropy, sharpness, colourfulness, extremes, change].allSatisfy { (0...1).contains($0) }
  }
}

extension ClipFacts {
  /// Whether all values are within the limits of a decoder's messages.
  package var isWithinBounds: Bool {
    let names = [container, mimeType, codec, pixelFormat, matrix, range, transfer, primaries]
    let counts = [
      storedWidth, storedHeight, shownWidth, shownHeight, rotation, bitsPerSecond, videoStreams, audioStreams,
      artworkStreams, streamIndex,
    ]
    return names.allSatisfy(WireBounds.isName) && counts.allSatisfy(WireBounds.isCount)
      && [durationSeconds, declaredDurationSeconds, framesPerSecond].allSatisfy(WireBounds.isTime)
      && WireBounds.isSize(nextRecordingByte ?? 0)
  }
}

extension ClipDetails {
  /// Whether all values are within the limits of a decoder's messages.
  package var isWithinBounds: Bool {
    let texts = [location?.text, make, model, software]
    return streams.count <= WireBounds.list && streams.allSatisfy(\.isWithinBounds)
      && texts.allSatisfy(WireBounds.isSentence) && location?.isValid ?? true
  }
}

extension ClipDetails.Stream {
  /// Whether all values are within the limits of a decoder's messages.
  fileprivate var isWithinBounds: Bool {
    let names = [codec, language, pixelFormat, matrix, range, transfer, primaries, channelLayout] + dispositions
    let counts = [index, storedWidth, storedHeight, shownWidth, shownHeight, bitDepth, sampleRate, channels]
    return dispositions.count <= WireBounds.list && (programmes?.count ?? 0) <= Self.maximumProgrammes
      && (programmes ?? []).allSatisfy(WireBounds.isCount) && names.allSatisfy(WireBounds.isName)
      && counts.allSatisfy(WireBounds.isCount) && WireBounds.isSentence(title) && WireBounds.isTime(framesPerSecond)
      && rotation.map([0, 90, 180, 270].contains) ?? true
  }
}

extension ProgramHello {
  /// Whether all values are within the limits of a decoder's messages.
  package var isWithinBounds: Bool {
    let names = [version] + libraries.keys + libraries.values + sandbox.holds + sandbox.missing.map(\.part)
    return libraries.count <= WireBounds.list && sandbox.holds.count <= WireBounds.list
      && sandbox.missing.count <= WireBounds.list && WireBounds.isCount(sandbox.landlock)
      && names.allSatisfy(WireBounds.isName) && sandbox.missing.allSatisfy { WireBounds.isSentence($0.reason) }
  }
}

extension DecoderReply {
  /// Whether all values are within the limits of a decoder's messages.
  package var isWithinBounds: Bool {
    switch result {
    case .cover(let facts, let bytes): facts.isWithinBounds && WireBounds.isSize(bytes)
    case .tiles(let facts, let clip, let bytes):
      facts.isWithinBounds && clip.isWithinBounds && WireBounds.isSize(bytes)
    case .facts(let facts, let details): facts.isWithinBounds && details.isWithinBounds
    case .lacksVideo(let failure, let details): failure.isWithinBounds && details.isWithinBounds
    case .failure(let failure): failure.isWithinBounds
    }
  }
}

extension RemuxFacts {
  /// Whether all values are within the limits of a composer's messages.
  fileprivate var isWithinBounds: Bool {
    let counts = [videoStreams, audioStreams, subtitleStreams]
    let limits = [cut?.fromSeconds, cut?.toSeconds, cut?.startSeconds, cut?.endSeconds, cut?.keyFrameSeconds]
    return parts.count <= ComposerRequest.maximumClips && parts.allSatisfy(\.isWithinBounds)
      && WireBounds.isSize(bytes) && counts.allSatisfy(WireBounds.isCount)
      && ([durationSeconds] + limits).allSatisfy(WireBounds.isTime)
  }
}

extension RemuxFacts.Part {
  /// Whether all values are within the limits of a composer's messages.
  fileprivate var isWithinBounds: Bool {
    [packetsRead, packets, packetsLost, streamsLeftOut].allSatisfy(WireBounds.isCount)
      && [durationSeconds, damagedAtSeconds, movedAtSeconds].allSatisfy(WireBounds.isTime)
  }
}

extension MeasuredClip {
  /// Whether all values are within the limits of a composer's messages.
  fileprivate var isWithinBounds: Bool {
    switch self {
    case .measure(let measure):
      (0...ClipMeasure.maximumSeconds).contains(measure.seconds) && WireBounds.isCount(measure.pixels)
        && WireBounds.isName(measure.unsupportedSound)
    case .failure(let failure): failure.isWithinBounds
    }
  }
}

extension VideoFacts {
  /// Whether all values are within the limits of a composer's messages.
  fileprivate var isWithinBounds: Bool {
    let most = 3 * VideoRequest.maximumCanvases
    return WireBounds.isCount(frames) && WireBounds.isSize(bytes) && problems.count <= most
      && problems.allSatisfy { problem in
        (0..<VideoRequest.maximumCanvases).contains(problem.canvas) && WireBounds.isTime(problem.seconds)
          && problem.failure.isWithinBounds
      }
  }
}

extension ComposerReply {
  /// Whether all values are within the limits of a composer's messages.
  package var isWithinBounds: Bool {
    switch self {
    case .progress(let bytes): WireBounds.isSize(bytes)
    case .measuring(let clips): WireBounds.isCount(clips)
    case .composing(let frames, let bytes): WireBounds.isCount(frames) && WireBounds.isSize(bytes)
    case .measured(let clips): clips.count <= ComposerRequest.maximumClips && clips.allSatisfy(\.isWithinBounds)
    case .composed(let facts): facts.isWithinBounds
    case .remuxed(let facts): facts.isWithinBounds
    case .failure(let failure, let clip): failure.isWithinBounds && WireBounds.isCount(clip)
    }
  }
}
