internal import Covers
internal import Pictures

/// The decoded frames of an animation, ready to be encoded.
struct ExtractedAnimation {
  /// The facts, but for those that depend on the quality.
  let facts: CoverFacts
  let clip: ClipFacts
  let plan: AnimationPlan
  /// The wanted quality.
  let quality: Int
  /// The number of frames left out because they are damaged.
  let damaged: Int
  let frames: AnimationFrames
  /// When to give up.
  let end: ContinuousClock.Instant

  /// An encoded file with its facts.
  struct File {
    var facts: CoverFacts
    let bytes: [UInt8]
  }

  /// Returns the file in the wanted quality, or, if that is larger than the plan allows, in the highest quality found
  /// that makes it small enough.
  ///
  /// The same frames always result in the same file.
  ///
  /// - Parameter texts: Returns the texts of a file with the given facts.
  /// - Throws: `CoverFailure` with the stage `encode`.
  func file(texts: (CoverFacts) -> [CoverText]) throws(CoverFailure) -> File {
    let wanted = try file(quality: quality, texts: texts)
    guard let limit = plan.maximumBytes, wanted.bytes.count > limit else { return wanted }
    var (low, high, smallest) = (1, quality - 1, wanted.bytes.count)
    var best: File?
    while low <= high {
      let middle = (low + high) / 2
      let file = try file(quality: middle, texts: texts)
      smallest = min(smallest, file.bytes.count)
      if file.bytes.count <= limit {
        (best, low) = (file, middle + 1)
      } else {
        high = middle - 1
      }
    }
    guard let best else {
      throw CoverFailure(
        stage: .encode,
        cause: .tooLarge,
        message: "the animation is \(smallest) bytes even at the lowest quality, more than the limit of \(limit)",
        advice: .smallerAnimation
      )
    }
    return best
  }

  private func file(quality: Int, texts: (CoverFacts) -> [CoverText]) throws(CoverFailure) -> File {
    let size = PixelSize(width: facts.width, height: facts.height)
    let encoded = try encoded(quality: quality, size: size)
    var facts = facts
    facts.frames = CoverFacts.Frames(
      count: encoded.frames,
      milliseconds: encoded.milliseconds,
      quality: quality,
      damaged: damaged
    )
    let bytes =
      switch plan.format {
      case .webp: WebPHead.adding(texts(facts), to: encoded.bytes, size: size)
      case .gif: GIFHead.adding(texts(facts), to: encoded.bytes)
      }
    guard let bytes else {
      throw CoverFailure(stage: .encode, cause: .misuse, message: "the texts cannot be stored in the animation")
    }
    return File(facts: facts, bytes: bytes)
  }

  /// The maximum duration of a picture, in milliseconds; a picture shown for longer is repeated.
  private static let longestTime = 60_000

  private func encoded(quality: Int, size: PixelSize) throws(CoverFailure) -> EncodedAnimation {
    var encoder = try AnimationEncoder(format: plan.format, size: size, quality: quality)
    var number = 0
    for shown in frames.shown {
      guard .now < end else { throw .encodingTimedOut }
      var rest = plan.milliseconds(at: number + shown.count) - plan.milliseconds(at: number)
      number += shown.count
      while rest > 0 {
        try encoder.add(shown.picture, milliseconds: min(rest, Self.longestTime))
        rest -= Self.longestTime
      }
    }
    return try encoder.finish()
  }
}

extension CoverFailure {
  fileprivate static let encodingTimedOut = CoverFailure(
    stage: .encode,
    cause: .timedOut,
    message: "the animation was not encoded within the time limit",
    advice: .smallerAnimation
  )
}
