public import ArgumentParser
public import Covers
internal import SystemPackage

/// A path on the command line; see ``RawArguments``.
struct PathArgument: ExpressibleByArgument {
  let path: FilePath
  /// Whether it was written with a slash at its end, which names a folder.
  let namesFolder: Bool

  init?(argument: String) {
    let bytes = RawArguments.bytes(of: argument)
    guard !bytes.isEmpty else { return nil }
    path = FilePath(platformString: (bytes + [0]).map { CChar(bitPattern: $0) })
    namesFolder = bytes.last == UInt8(ascii: "/")
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

extension CoverRequest.Artwork: ExpressibleByArgument {}

/// Values of options, with the words for one that cannot be read.
enum OptionValue {
  static func size(_ text: String) throws -> SizeLimit {
    guard let size = SizeLimit(text) else {
      throw ValidationError(
        "'\(text)' is no size: write 256 or 320x240, each side from 1 to \(SizeLimit.largestSide) pixels."
      )
    }
    return size
  }

  static func format(_ text: String) throws -> CoverFormat {
    guard let format = CoverFormat(rawValue: text) ?? CoverFormat(fileEnding: text) else {
      throw ValidationError("'\(text)' is no format: write png, jpeg or webp.")
    }
    return format
  }

  static func time(_ text: String) throws -> RequestedTime {
    guard let time = RequestedTime(text) else {
      throw ValidationError(
        "'\(text)' is no time: write first, seconds (2.5), a clock time (1:02:03) or a share (50%)."
      )
    }
    return time
  }

  static func colour(_ text: String) throws -> Colour {
    guard let colour = Colour(text) else {
      throw ValidationError("'\(text)' is no colour: write #rrggbb, #rgb or a basic name such as white.")
    }
    return colour
  }
}
