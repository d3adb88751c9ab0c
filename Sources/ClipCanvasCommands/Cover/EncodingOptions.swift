internal import ArgumentParser
internal import Covers

/// The options for the file format of a picture.
struct EncodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file format: png, jpeg or webp (default: from the file extension given with -o, or png).",
      valueName: "format"
    ),
    completion: .list(CoverFormat.allCases.map(\.rawValue)),
    transform: { try OptionValue.format($0) }
  )
  var format: CoverFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The quality of a JPEG or WebP, 1 to 100 (default: \(CoverRequest.usualQuality)).",
      valueName: "number"
    ),
    transform: OptionValue.whole("--quality", 1...100)
  )
  var quality: Int?

  /// Checks the options against the format of the file.
  func validate(for format: CoverFormat) throws {
    guard quality == nil || format != .png else {
      throw ValidationError("'--quality' applies to JPEG and WebP only; a PNG is lossless")
    }
  }
}
