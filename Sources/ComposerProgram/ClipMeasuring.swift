internal import CComposer
internal import CCover
internal import CoverDecoding
internal import Covers

extension MeasuredClip {
  /// Measures a clip.
  ///
  /// - Parameters:
  ///   - clip: The descriptor of the clip.
  ///   - deadline: The time that it may take.
  init(measuring clip: Int32, deadline: Duration) {
    var limits = ccover_limits()
    limits.deadline_microseconds = Int64(deadline / .microseconds(1))
    limits.max_pixels = Int64(ClipDecoder.Limits().maximumPixels)
    limits.max_streams = Int32(ClipDecoder.Limits().maximumStreams)
    limits.stream = -1
    var measure = ccomposition_measure()
    do throws(CoverFailure) {
      try withCoverError { ccomposition_measure_clip(clip, &limits, &measure, &$0) }
      let microseconds = try Self.duration(of: measure)
      let codec = withUnsafeBytes(of: &measure.unsupported_sound) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      self = .measure(
        ClipMeasure(
          seconds: Double(microseconds) / 1e6,
          pixels: Int(measure.pixels),
          hasSound: measure.has_sound,
          unsupportedSound: codec.isEmpty ? nil : codec
        )
      )
    } catch {
      self = .failure(error)
    }
  }

  /// A day and the longest duration of a clip, in microseconds.
  private static let (day, longest) = (Int64(86_400_000_000), Int64(ClipMeasure.maximumSeconds * 1e6))

  /// Returns the duration of a clip in microseconds.
  ///
  /// A single damaged timestamp can make a clip seem to last for thousands of years, and the video with it. No frame
  /// is shown for more than a day, and no clip lasts for more than a year: such times are damaged. If the header
  /// alone has one, it counts as unknown.
  ///
  /// - Throws: A failure if the times of its frames are damaged.
  private static func duration(of measure: ccomposition_measure) throws(CoverFailure) -> Int64 {
    guard measure.microseconds <= longest, measure.longest_step <= day else {
      throw CoverFailure(stage: .decode, cause: .damaged, message: "its timestamps are damaged")
    }
    return measure.declared_microseconds <= longest
      ? max(measure.microseconds, measure.declared_microseconds) : measure.microseconds
  }
}
