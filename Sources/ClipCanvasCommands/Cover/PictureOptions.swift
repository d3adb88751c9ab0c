internal import ArgumentParser
internal import Covers

/// The options that specify a cover's picture; they correspond to ``CoverRequest``.
struct PictureOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The box that the cover must fit into, in pixels; a cover is never enlarged.",
      valueName: "WxH|N"
    ),
    transform: { try OptionValue.size($0) }
  )
  var size: SizeLimit?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The box that the cover fills, in pixels: the frame is scaled, up if necessary, and cropped equally on both sides.",
      valueName: "WxH|N"
    ),
    transform: { try OptionValue.fill($0) }
  )
  var fill: SizeLimit?

  @Option(
    name: .customLong("at"),
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The frame to use: first, best (the one with the most to see), a time (2.5, 1m30s, 1:02:03) or a percentage of the "
        + "duration (50%); the prefix key: (key:50%) takes the key frame at or before that time, which is found faster "
        + "(default: first). With 'cover', several, separated by commas, make several covers.",
      valueName: "time"
    ),
    completion: .list(["first", "best", "50%", "key:50%"]),
    transform: { try OptionValue.times($0) }
  )
  private var at: [[RequestedTime]] = []

  /// The frames to use, one for each cover of a clip; empty if the user named none.
  var times: [RequestedTime] { at.first ?? [] }

  @OptionGroup
  var stream: StreamOption

  @Option(
    help: ArgumentHelp(
      "Whether to use artwork embedded in the clip: never, fallback (if there is no video) or prefer.",
      valueName: "when"
    )
  )
  var embedded = CoverRequest.Artwork.never

  @Flag(help: "Keep the stored pixel shape instead of converting to square pixels.")
  var storageSize = false

  @Option(
    help: ArgumentHelp(
      "The colour behind transparent parts: #rrggbb or a name (default: none; black in a JPEG).",
      valueName: "colour"
    ),
    transform: { try OptionValue.colour($0) }
  )
  var background: Colour?

  @Option(
    help: ArgumentHelp("The bits per colour channel: 8 or 16 (default: 8).", valueName: "bits"),
    completion: .list(["8", "16"]),
    transform: { text in
      try OptionValue.value([8, 16].first { "\($0)" == text }, of: text, "a bit depth", "8 or 16")
    }
  )
  var bitDepth = 8

  @Flag(
    inversion: .prefixedNo,
    help: "Show one field of an interlaced frame and interpolate the missing lines."
  )
  var deinterlace = true

  @Flag(
    help: ArgumentHelp(
      "Decode in full, even for a small cover.",
      discussion: """
        If the cover is much smaller than the clip, the deblocking filter is skipped by default, and some codecs decode a \
        smaller frame. This saves up to a third of the time, and the difference is hard to see.
        """
    )
  )
  var exact = false

  @OptionGroup
  var encoding: EncodingOptions

  /// The requested file format.
  var format: CoverFormat? { encoding.format }

  func validate() throws {
    guard at.count < 2 else {
      throw ValidationError("'--at' can be given only once: separate the times with commas, as in --at 10%,50%")
    }
    guard size == nil || fill == nil else {
      throw ValidationError("'--size' and '--fill' both decide the size of the cover: use one of them")
    }
  }

  /// Checks the options that depend on the format.
  func validate(for format: CoverFormat) throws {
    try encoding.validate(for: format)
    guard bitDepth == 8 || format == .png else { throw ValidationError("'--bit-depth 16' applies to PNG only") }
  }

  func request(at time: RequestedTime, format: CoverFormat) -> CoverRequest {
    var request = CoverRequest(size: size ?? .none, time: time)
    request.fill = fill
    stream.apply(to: &request)
    request.artwork = embedded
    request.keepsStorageShape = storageSize
    request.background = background
    request.bitDepth = bitDepth
    request.deinterlaces = deinterlace
    request.isExact = exact
    request.format = format
    request.quality = encoding.quality ?? CoverRequest.usualQuality
    return request
  }
}
