internal import ArgumentParser
internal import Covers

/// The options for the frames and the file of an animation.
struct AnimationOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of segments, spread over the clip (default: 6).", valueName: "number"),
    transform: OptionValue.whole("--segments", AnimationPlan.segmentCounts)
  )
  var segments = 6

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The length of a segment in seconds, 0.1 to 10 (default: 0.5).", valueName: "seconds"),
    transform: { try OptionValue.segmentLength($0) }
  )
  var segmentLength = 0.5

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames per second, 1 to 30 (default: 10).", valueName: "number"),
    transform: OptionValue.whole("--fps", AnimationPlan.frameRates, "a whole number")
  )
  var fps = 10

  @Option(
    help: ArgumentHelp(
      "The box that the animation must fit into, in pixels (default: 320); frames are never enlarged.",
      valueName: "WxH|N"
    ),
    transform: { try OptionValue.size($0) }
  )
  var size = Self.usualSize

  @Option(
    help: ArgumentHelp(
      "The file format: webp or gif (default: from the file extension given with -o, or webp).",
      valueName: "format"
    ),
    completion: .list(AnimationFormat.allCases.map(\.rawValue)),
    transform: { try OptionValue.animationFormat($0) }
  )
  var format: AnimationFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The quality, 1 to 100 (default: \(Self.usualQuality)). Below 75, a GIF has fewer colours.",
      valueName: "number"
    ),
    transform: OptionValue.whole("--quality", 1...100)
  )
  var quality = Self.usualQuality

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum size of the file, such as 500k or 2M; the quality is lowered until the file is small enough.",
      valueName: "bytes"
    ),
    transform: { try OptionValue.fileSize($0) }
  )
  var maxBytes: Int?

  @OptionGroup
  private var streamOption: StreamOption

  static let usualQuality = 70
  private static let usualSize = SizeLimit(width: 320, height: 320) ?? .none

  func validate() throws {
    let count = plan(format: .webp).frameCount
    guard count <= AnimationPlan.maximumFrames else {
      throw ValidationError(
        "the animation would have \(count) frames, more than \(AnimationPlan.maximumFrames): choose fewer --segments, a "
          + "shorter --segment-length or a lower --fps"
      )
    }
  }

  private func plan(format: AnimationFormat) -> AnimationPlan {
    var plan = AnimationPlan(
      segments: segments,
      segmentSeconds: segmentLength,
      framesPerSecond: fps,
      format: format
    )
    plan.maximumBytes = maxBytes
    return plan
  }

  /// The request for an animation without options.
  static var usualRequest: CoverRequest {
    var request = CoverRequest(size: usualSize)
    request.animation = AnimationPlan()
    request.quality = usualQuality
    return request
  }

  /// Returns the request for an animation.
  func request(format: AnimationFormat) -> CoverRequest {
    var request = CoverRequest(size: size)
    request.animation = plan(format: format)
    streamOption.apply(to: &request)
    request.quality = quality
    return request
  }
}
