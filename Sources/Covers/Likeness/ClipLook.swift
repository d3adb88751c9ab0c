internal import Glibc

/// What is compared of a clip: some of its frames, and its display aspect ratio.
package struct ClipLook: Hashable, Sendable {
  /// The frames at ``positions``; `nil` for a frame that is not known.
  package private(set) var frames: [FrameLook?]
  /// The display aspect ratio, as the number of steps from that of a square; `nil` if it is unknown.
  private var aspectSteps: Int?

  /// The number of steps from one ratio to twice that ratio.
  private static let aspectStepsPerOctave = 32.0
  /// The most steps between copies of a clip: one may have lost the sample aspect ratio, which is up to 64:45 in DV.
  private static let aspectTolerance = 17

  /// The positions of the frames, as percentages of the duration.
  package static let positions = [0.0, 25, 50, 75]

  /// The look of a clip without known frames.
  package static let unknown = ClipLook(first: nil)

  /// Creates the look of a clip whose first frame may be known, but no other.
  package init(first: FrameLook?) {
    frames = Array(repeating: nil, count: Self.positions.count)
    frames[0] = first
  }

  /// Creates the look of a clip from tiles for ``request``.
  ///
  /// A frame that is shown at several positions has one tile.
  ///
  /// - Parameters:
  ///   - tiles: The tiles.
  ///   - durationSeconds: The duration of the clip; if it is unknown, so are all frames but the first.
  package init(_ tiles: CoverFacts.Tiles, durationSeconds: Double?) {
    self = .unknown
    let looks = tiles.looks ?? []
    guard looks.count == tiles.times.count else { return }
    guard let durationSeconds, looks.count < frames.count else {
      for (number, look) in looks.prefix(frames.count).enumerated() { frames[number] = look }
      return
    }
    let shown = zip(tiles.times, looks).compactMap { time, look in time.map { (time: $0, look: look) } }
    for (number, position) in Self.positions.enumerated() {
      // Times are rounded to milliseconds.
      frames[number] = shown.last { $0.time <= durationSeconds * position / 100 + 0.001 }?.look
    }
  }

  /// Notes the display aspect ratio.
  ///
  /// - Parameter size: A size that has it. Without a width or height, the ratio remains unknown.
  package mutating func noteAspectRatio(of size: PixelSize) {
    guard size.width > 0, size.height > 0 else { return }
    let octaves = log2(Double(size.width) / Double(size.height))
    aspectSteps = Int((octaves * Self.aspectStepsPerOctave).rounded())
  }

  /// The request for the tiles of a clip that is compared.
  package static let request = {
    var request = CoverRequest(size: SizeLimit(width: tileSide, height: tileSide) ?? .none)
    var plan = SheetPlan(.at([.seconds(0)] + positions.dropFirst().map { .percent($0) }))
    plan.comparesTiles = true
    request.sheet = plan
    return request
  }()

  /// The longer side of a tile: large enough for the 32×32 values of a hash.
  private static let tileSide = 128

  /// Whether the clip can be recognised: a frame is known that is not plain.
  package var isRecognisable: Bool { frames.contains { $0.map { !$0.isPlain } ?? false } }

  /// Returns whether two clips look alike.
  ///
  /// They have about the same display aspect ratio, if it is known of both. The frames that are known of both clips
  /// count, unless both frames at a position are plain. If all positions count, one may differ. The hashes at the others
  /// must be within the distance on average, and those of at least one pair of frames that are not plain.
  ///
  /// - Parameters:
  ///   - other: The other clip.
  ///   - distance: The largest mean distance of the hashes.
  package func isLike(_ other: ClipLook, within distance: Int) -> Bool {
    if let aspectSteps, let others = other.aspectSteps, abs(aspectSteps - others) > Self.aspectTolerance {
      return false
    }
    var (count, sum, largest, hasEvidence) = (0, 0, 0, false)
    for position in frames.indices {
      guard let one = frames[position], let two = other.frames[position], !(one.isPlain && two.isPlain)
      else { continue }
      let ofFrames = one.hash.distance(to: two.hash)
      (count, sum, largest) = (count + 1, sum + ofFrames, max(largest, ofFrames))
      hasEvidence = hasEvidence || (ofFrames <= distance && !one.isPlain && !two.isPlain)
    }
    if count == Self.positions.count { (count, sum) = (count - 1, sum - largest) }
    return hasEvidence && sum <= distance * count
  }
}
