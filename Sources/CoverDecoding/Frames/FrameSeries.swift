internal import CCover
internal import Covers

/// The frames of a clip for a series of rising times, decoded one after another.
///
/// If key frames are preferred, the frame for a time is the last key frame that is not later, unless that is much
/// earlier. In all other cases, it is the frame shown at the time. Between key frames that are far apart, decoding
/// continues from one time to the next.
struct FrameSeries {
  private let interval: Duration
  private let usesKeyFrames: Bool
  private let allowsRepeats: Bool
  /// The time of the frame that the clip holds, if the frames after it can be decoded up to the next time.
  private var position: Duration?
  /// The time of the key frame that was decoded last.
  private var keyTime: Duration?

  /// Whether a time was past the end.
  private var isOver = false

  /// The result for a time.
  struct Found {
    /// The frame, which the clip holds; `nil` if it is the same as for the time before.
    var frame: ccover_frame_facts?
    /// Whether the video ended at least an interval before, or has no timestamps, so that no time leads to another frame.
    var isPastEnd = false
  }

  /// Creates a series.
  ///
  /// - Parameters:
  ///   - interval: The time between two times.
  ///   - usesKeyFrames: Whether key frames are preferred.
  ///   - allowsRepeats: Whether several times may share a key frame. A key frame is much earlier than a time if the
  ///     difference is two intervals, or half of one if no key frame may be shared.
  init(interval: Duration, usesKeyFrames: Bool, allowsRepeats: Bool) {
    (self.interval, self.usesKeyFrames, self.allowsRepeats) = (interval, usesKeyFrames, allowsRepeats)
  }

  /// Finds the frame for a time, which must be later than that of the call before.
  ///
  /// - Parameters:
  ///   - time: The time, counted from the start of the video.
  ///   - clip: The clip, opened for seeking; it keeps the frame.
  /// - Throws: `CoverFailure` if the frame cannot be decoded; the series may continue with a later time.
  mutating func frame(at time: Duration, of clip: inout ClipDecoder) throws(CoverFailure) -> Found {
    if isOver { return Found(isPastEnd: true) }
    let found = try next(at: time, of: &clip)
    isOver = found.isPastEnd
    return found
  }

  private mutating func next(at time: Duration, of clip: inout ClipDecoder) throws(CoverFailure) -> Found {
    if let position { return try walk(from: position, to: time, of: &clip) }
    let key = clip.timeOfKeyFrame(before: time)
    let isFar = key.map { $0 + interval * (allowsRepeats ? 2 : 0.5) <= time + .milliseconds(1) } ?? false
    if usesKeyFrames, let key, !isFar, allowsRepeats || key != keyTime {
      if key == keyTime { return Found() }
      if let frame = keyFrame(at: key, of: &clip) { return Found(frame: frame) }
    }
    let found = try seek(to: time, of: &clip)
    if let frame = found.frame, clip.isReplaced(frame, at: time, key: key) { throw .damagedFrame }
    // If no key frame follows soon, or its position is unknown, seeking to the next time would decode the same frames
    // again.
    if isFar || key == nil { position = found.frame?.time }
    return found
  }

  /// Decodes the key frame that was found; returns `nil` if that is not possible.
  private mutating func keyFrame(at key: Duration, of clip: inout ClipDecoder) -> ccover_frame_facts? {
    keyTime = nil
    // If the key frame is damaged, an earlier one may have been decoded. Times of packets and frames differ a little in
    // containers without presentation times.
    guard let frame = try? clip.decodeKeyFrame(alone: true), frame.time.map({ $0 + interval > key }) ?? true else {
      return nil
    }
    keyTime = key
    return frame
  }

  private mutating func seek(to time: Duration, of clip: inout ClipDecoder) throws(CoverFailure) -> Found {
    keyTime = nil
    let frame = try clip.decode(at: time)
    return try found(frame, at: time)
  }

  /// Decodes up to the frame that is shown at the time.
  private mutating func walk(
    from start: Duration,
    to time: Duration,
    of clip: inout ClipDecoder
  ) throws(CoverFailure) -> Found {
    let frame = try clip.decodeOn(to: time)
    var found = try found(frame, at: time)
    if frame.time == start { found.frame = nil }
    // From a key frame on, the next time may be reached faster by seeking.
    position = frame.follows_key_frame ? nil : frame.time
    return found
  }

  private func found(_ frame: ccover_frame_facts, at time: Duration) throws(CoverFailure) -> Found {
    guard let shown = frame.time else { return Found(frame: frame, isPastEnd: time > .zero) }
    guard !frame.is_replacement else { throw .damagedFrame }
    let end = max(shown + interval, frame.endTime.map { .seconds($0) } ?? .zero)
    return Found(frame: frame, isPastEnd: frame.is_last && end <= time)
  }
}

extension CoverFailure {
  static let damagedFrame = CoverFailure(stage: .decode, cause: .damaged, message: "the frame is damaged")
}

extension ccover_frame_facts {
  /// The presentation time, counted from the start of the stream; `nil` if the clip has no timestamps.
  fileprivate var time: Duration? { presentationTime.map { .seconds($0.value) } }

  /// Whether the frame is from before the last key frame, which is shown only if that and those after it are damaged.
  func isBefore(_ key: Duration) -> Bool {
    guard let time else { return false }
    return time + .milliseconds(20) < key
  }
}
