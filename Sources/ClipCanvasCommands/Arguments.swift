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

extension SizeLimit: ExpressibleByArgument {
  /// Reads what a person types.
  public init?(argument: String) { self.init(argument) }
}

extension RequestedTime: ExpressibleByArgument {
  /// Reads what a person types.
  public init?(argument: String) { self.init(argument) }
}
