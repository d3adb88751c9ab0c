internal import CCover
internal import Covers
internal import Pictures

/// The search for a good frame: candidates are decoded, scaled down and scored; see <doc:ChoosingFrames>.
///
/// First the key frames near fixed shares of the clip are candidates. Only if all of them are poor, or if the clip has
/// hardly any key frames, others are: those with the largest packets, which are not black, and those at the same shares
/// of the clip.
package struct BestFrame {
  /// A frame that was scored.
  package struct Candidate {
    /// The presentation time; what was asked for if the clip has no timestamps.
    var time: Duration
    var isKeyFrame: Bool
    var score: FrameScore
  }

  /// The best frame found; the earlier one of two with the same score.
  private(set) var best: Candidate?
  /// The times of the key frames that were looked at, damaged ones among them, as their packets have them.
  private var keyTimes: Set<Duration> = []
  /// The times of the frames that were scored.
  private var scoredTimes: Set<Duration> = []
  /// The search's deadline, which leaves enough time for decoding the best frame again.
  private let end: ContinuousClock.Instant

  /// The positions of the candidates, as shares of the duration.
  static let shares = [0, 0.03, 0.1, 0.2, 0.33, 0.5, 0.66, 0.8]
  /// The positions in a clip of unknown duration, in seconds.
  private static let seconds = [0.0, 1, 3, 6, 10, 20, 40, 60]
  private static let side = SizeLimit(width: 160, height: 160) ?? .none
  /// The number of large packets to decode at most that are not key frames.
  private static let maximumOthers = 3
  /// The number of bytes to read at most for finding large packets.
  private static let maximumBytes = 64 << 20
  /// The number of key frames that are enough to choose from.
  private static let enoughKeyFrames = 3
  /// The number of frames to decode at most between key frames: if all candidates are poor, and otherwise.
  private static let maximumSteps = (poor: 300, otherwise: 100)

  /// Creates a search that ends when half of the time is over.
  init(deadline: Duration) {
    end = .now + deadline / 2
  }

  private var isOver: Bool { ContinuousClock.now >= end }
  private var isPoor: Bool { best?.score.isPoor ?? true }

  /// Examines a clip that was opened for seeking.
  mutating func search(_ clip: inout ClipDecoder) {
    let duration = clip.facts.durationSeconds
    let seconds = duration.map { length in Self.shares.map { $0 * length } } ?? Self.seconds
    let times = seconds.map { Duration.seconds($0) }
    for time in times { examineKeyFrame(before: time, of: &clip) }
    let hasFewKeyFrames = keyTimes.count < Self.enoughKeyFrames
    if isPoor || hasFewKeyFrames { examineLargePackets(of: &clip) }
    if isPoor || hasFewKeyFrames { walk(through: &clip, to: times) }
  }

  // MARK: - Candidates

  private mutating func examineKeyFrame(before time: Duration, of clip: inout ClipDecoder) {
    guard !isOver, let found = clip.timeOfKeyFrame(before: time), keyTimes.insert(found).inserted else { return }
    if let frame = try? clip.decodeKeyFrame() { examine(frame, of: &clip, at: found) }
  }

  private mutating func examineLargePackets(of clip: inout ClipDecoder) {
    let packets = clip.largePackets(count: Self.shares.count, maximumBytes: Self.maximumBytes)
    for packet in packets.filter(\.is_key) { examineKeyFrame(before: Self.time(after: packet), of: &clip) }
    // Other frames than key frames take long to decode.
    for packet in packets.filter({ !$0.is_key }).sorted(by: { $0.bytes > $1.bytes }).prefix(Self.maximumOthers) {
      guard !isOver else { return }
      let time = Self.time(after: packet)
      if let frame = try? clip.decode(at: time) { examine(frame, of: &clip, at: time) }
    }
  }

  /// A time at or after the PTS of a packet's frame: the packet may only have a DTS, which is a few frames earlier.
  private static func time(after packet: ccover_large_packet) -> Duration {
    .microseconds(packet.microseconds) + .milliseconds(200)
  }

  /// Examines the frames at the times, decoding from one to the next where no key frame lies between them.
  private mutating func walk(through clip: inout ClipDecoder, to times: [Duration]) {
    let maximumSteps = isPoor ? Self.maximumSteps.poor : Self.maximumSteps.otherwise
    var steps = 0
    var position: Duration?
    for time in times {
      let key = keyTimes.filter { $0 <= time }.max() ?? .zero
      var frame: ccover_frame_facts?
      if position.map({ $0 < key || $0 > time }) ?? true { frame = try? clip.decode(at: key) }
      while frame?.presentationTime.map({ .seconds($0.value) < time }) ?? (frame == nil) {
        guard steps < maximumSteps, !isOver, let next = try? clip.decodeNext() else { return }
        frame = next
        steps += 1
      }
      if let frame {
        position = frame.presentationTime.map { .seconds($0.value) }
        examine(frame, of: &clip, at: time)
      }
    }
  }

  // MARK: - Score

  /// Scores the frame that was decoded, unless it was scored before.
  private mutating func examine(_ frame: ccover_frame_facts, of clip: inout ClipDecoder, at wanted: Duration) {
    let time = frame.presentationTime.map { Duration.seconds($0.value) } ?? wanted
    guard !frame.is_corrupt, scoredTimes.insert(time).inserted, let sample = sample(of: frame, in: &clip) else {
      return
    }
    let score = sample.score(followedBy: nil)
    // The next frame can only make the score worse.
    guard isBetter(score, at: time) else { return }
    let next = (try? clip.decodeNext()).flatMap { _ in self.sample(of: frame, in: &clip) }
    let wholeScore = sample.score(followedBy: next)
    if isBetter(wholeScore, at: time) {
      best = Candidate(time: time, isKeyFrame: frame.is_key_frame, score: wholeScore)
    }
  }

  private func isBetter(_ score: FrameScore, at time: Duration) -> Bool {
    guard let best else { return true }
    return score.total > best.score.total || (score.total == best.score.total && time < best.time)
  }

  /// Returns a small version of the frame that the clip holds.
  ///
  /// - Parameter frame: The facts that determine the size.
  private func sample(of frame: ccover_frame_facts, in clip: inout ClipDecoder) -> FrameSample? {
    let size = Self.side.fitting(frame.uprightSize())
    guard let picture = try? clip.render(size: size, layout: .rgb, deinterlaces: true) else {
      return nil
    }
    return FrameSample(of: picture)
  }
}
