public import ArgumentParser
internal import BoardText
internal import CoverService
public import Covers
internal import Files
internal import SystemPackage

/// A path on the command line; see ``RawArguments``.
struct PathArgument: ExpressibleByArgument {
  let path: FilePath
  /// Whether the path was written with a trailing slash, which denotes a folder.
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
extension SandboxMode: ExpressibleByArgument {}

/// Parsers of option values, which throw an error with the valid forms.
enum OptionValue {
  static func size(_ text: String) throws -> SizeLimit {
    try value(SizeLimit(text), of: text, "size", "256 or 320x240, each side from 1 to \(SizeLimit.largestSide) pixels")
  }

  static func format(_ text: String) throws -> CoverFormat {
    try value(CoverFormat(rawValue: text) ?? CoverFormat(fileEnding: text), of: text, "format", "png, jpeg or webp")
  }

  static func time(_ text: String) throws -> RequestedTime {
    try value(RequestedTime(text), of: text, "time", "first, seconds (2.5), a clock time (1:02:03) or a share (50%)")
  }

  static func colour(_ text: String) throws -> Colour {
    try value(Colour(text), of: text, "colour", "#rrggbb, #rgb or a basic name such as white")
  }

  static func shard(_ text: String) throws -> Shard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    var shard: Shard?
    if parts.count == 2, let index = parts[0], let count = parts[1] { shard = Shard(index, of: count) }
    return try value(shard, of: text, "share", "K/N with K from 1 to N, as 2/5")
  }

  private static func value<Value>(
    _ value: Value?,
    of text: String,
    _ noun: String,
    _ forms: String
  ) throws -> Value {
    guard let value else { throw ValidationError("'\(text)' is no \(noun): write \(forms).") }
    return value
  }
}
