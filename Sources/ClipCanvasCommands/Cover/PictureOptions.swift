internal import ArgumentParser
internal import Covers

/// The options that specify a cover's picture; they correspond to ``CoverRequest``.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The box the cover must fit into, in pixels; never enlarged.", valueName: "WxH|N"),
    transform: { try OptionValue.size($0) }
  )
  var size: SizeLimit?

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Which frame: first, a time (2.5, 1:02:03) or a share of the duration (50%).",
      valueName: "time"
    ),
    transform: { try OptionValue.time($0) }
  )
  var time: RequestedTime = .first

  @Flag(help: "Where that frame is dark or plain, take the first within 10 s that is not.")
  var skipDark = false

  @Option(help: ArgumentHelp("Which stream, as 'probe' counts them.", valueName: "N"))
  var stream: Int?

  @Option(
    help: ArgumentHelp(
      "Whether artwork kept in the clip counts: never, fallback (without moving pictures) or prefer.",
      valueName: "when"
    )
  )
  var embedded = CoverRequest.Artwork.never

  @Flag(help: "Keep pixels in the shape they are stored in, instead of square.")
  var storageSize = false

  @Option(
    help: ArgumentHelp("What transparent parts are laid over: #rrggbb or a name.", valueName: "colour"),
    transform: { try OptionValue.colour($0) }
  )
  var background: Colour?

  @Option(help: ArgumentHelp("Bits of a colour channel: 8 or 16.", valueName: "bits"), completion: .list(["8", "16"]))
  var bitDepth = 8

  @Flag(
    inversion: .prefixedNo,
    help: "Show one field of an interlaced frame, and make the lines between."
  )
  var deinterlace = true

  @Flag(
    help: ArgumentHelp(
      "Leave out no step of decoding for a small cover.",
      discussion: """
        Where the cover has at most half the size of the clip, the decoder's last step, which smooths the edges of \
        blocks, is left out: it takes a tenth of the time, and the difference is hard to see.
        """
    )
  )
  var exact = false

  @Option(
    help: ArgumentHelp(
      "The kind of file: png, jpeg or webp; what the name given with -o ends in, unless told.",
      valueName: "format"
    ),
    completion: .list(CoverFormat.allCases.map(\.rawValue)),
    transform: { try OptionValue.format($0) }
  )
  var format: CoverFormat?

  @Option(
    help: ArgumentHelp("The quality of a JPEG or WebP, 1 to 100 (\(CoverRequest.usualQuality)).", valueName: "number")
  )
  var quality: Int?

  func validate() throws {
    guard bitDepth == 8 || bitDepth == 16 else { throw ValidationError("'--bit-depth' takes 8 or 16.") }
    guard stream.map({ $0 >= 0 }) ?? true else { throw ValidationError("'--stream' counts from 0.") }
  }

  /// Checks the options that depend on the format.
  func validate(for format: CoverFormat) throws {
    if let quality {
      guard (1...100).contains(quality) else { throw ValidationError("'--quality' takes 1 to 100.") }
      guard format != .png else { throw ValidationError("'--quality' is for JPEG and WebP; a PNG has no loss.") }
    }
    guard bitDepth == 8 || format == .png else { throw ValidationError("'--bit-depth 16' is for PNG only.") }
  }

  func request(format: CoverFormat) -> CoverRequest {
    var request = CoverRequest(size: size ?? .none, time: time)
    request.skipsDark = skipDark
    request.stream = stream
    request.artwork = embedded
    request.keepsStorageShape = storageSize
    request.background = background
    request.bitDepth = bitDepth
    request.deinterlaces = deinterlace
    request.isExact = exact
    request.format = format
    request.quality = quality ?? CoverRequest.usualQuality
    return request
  }
}
