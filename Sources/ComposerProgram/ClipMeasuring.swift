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
      let codec = withUnsafeBytes(of: &measure.unsupported_sound) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      self = .measure(
        ClipMeasure(
          seconds: Double(measure.microseconds) / 1e6,
          pixels: Int(measure.pixels),
          hasSound: measure.has_sound,
          unsupportedSound: codec.isEmpty ? nil : codec
        )
      )
    } catch {
      self = .failure(error)
    }
  }
}
