internal import CCover
internal import Covers

/// When the frames of a clip are shown, for sheets of clips whose frames are at irregular times.
///
/// Such clips are recordings of a screen, which have a frame only when something moves, and transport streams with
/// interruptions.
enum FrameTimes {
  /// Returns the times of all frames, in seconds; `nil` if there are more than a number, or some cannot be decoded.
  ///
  /// - Parameters:
  ///   - clip: The clip, just opened.
  ///   - count: The number.
  /// - Throws: `CoverFailure` if the deadline passes.
  static func all(of clip: inout ClipDecoder, atMost count: Int) throws(CoverFailure) -> [Double]? {
    var times: [Double] = []
    do throws(CoverFailure) {
      var next: ccover_frame_facts? = try clip.decodeFirst()
      while let frame = next {
        guard times.count < count, !frame.is_corrupt, let time = frame.presentationTime?.value else { return nil }
        times.append(time)
        next = try clip.decodeNext()
      }
    } catch {
      guard error.cause != .timedOut else { throw error }
      return nil
    }
    return times
  }

  /// Returns the spans that show one frame for long, without the first moment of each.
  ///
  /// - Parameters:
  ///   - clip: The clip, opened for seeking.
  ///   - times: The times to examine, rising, in seconds.
  ///   - end: The end of the clip, in seconds.
  ///   - least: The least duration of such a span, in seconds.
  /// - Throws: `CoverFailure` if the deadline passes.
  static func holds(
    in clip: inout ClipDecoder,
    at times: [Double],
    until end: Double,
    longerThan least: Double
  ) throws(CoverFailure) -> [Range<Double>] {
    let moment = 0.04
    var holds: [Range<Double>] = []
    for time in times where holds.last.map({ time >= $0.upperBound }) ?? true {
      do throws(CoverFailure) {
        guard let shown = try clip.decode(at: .seconds(time)).presentationTime?.value else { return [] }
        let next = try clip.decodeNext()?.presentationTime?.value ?? end
        if next - shown > max(least, 2 * moment) { holds.append(shown + moment..<next) }
      } catch {
        guard error.cause != .timedOut else { throw error }
      }
    }
    return holds
  }
}
