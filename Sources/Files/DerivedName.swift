internal import CMessageDigest
internal import Glibc
public import SystemPackage

/// Names that are made from other names, such as `.a.mp4.failed.json` from `a.mp4`.
public enum DerivedName {
  /// The most bytes that Linux file systems take for a name.
  private static let mostBytes = 255
  private static let digestBytes = 32

  /// The name with something before and after it.
  ///
  /// Where that is too long for a file system, the end of the name gives way to a digest of the whole name, so that long
  /// names which differ only at their ends still give different names.
  ///
  /// - Parameters:
  ///   - name: The bytes of a file's name.
  ///   - prefix: What comes before it; ASCII.
  ///   - suffix: What comes after it; ASCII.
  public static func make(
    from name: some BidirectionalCollection<UInt8>,
    prefix: String = "",
    suffix: String
  ) -> [UInt8] {
    let room = mostBytes - prefix.utf8.count - suffix.utf8.count
    guard name.count > room else { return Array(prefix.utf8) + name + Array(suffix.utf8) }
    let kept = start(of: name, mostBytes: room - 1 - digestBytes)
    return Array(prefix.utf8) + kept + [UInt8(ascii: "~")] + Array(digest(of: Array(name)).utf8) + Array(suffix.utf8)
  }

  /// The MD5 of bytes, as 32 lower-case hexadecimal digits.
  package static func digest(of bytes: [UInt8]) -> String {
    // 32 digits and a NUL.
    var digits: [CChar] = Array(repeating: 0, count: digestBytes + 1)
    MD5Data(bytes, bytes.count, &digits)
    return String(decoding: digits.prefix(digestBytes).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// At most so many bytes from the start, without cutting a character of UTF-8 in two.
  private static func start(of name: some BidirectionalCollection<UInt8>, mostBytes: Int) -> [UInt8] {
    var kept = Array(name.prefix(mostBytes))
    let next = name.dropFirst(mostBytes).first ?? 0
    guard next & 0xC0 == 0x80 else { return kept }
    while let last = kept.popLast(), last & 0xC0 == 0x80 {}
    return kept
  }
}

extension FilePath {
  /// The path with a name derived from its last one.
  ///
  /// - Parameters:
  ///   - prefix: What comes before the name; ASCII.
  ///   - suffix: What comes after it; ASCII.
  public func derivingName(prefix: String = "", suffix: String) -> FilePath {
    let name = DerivedName.make(from: lastComponentBytes, prefix: prefix, suffix: suffix)
    return removingLastComponent().pushing(FilePath(platformString: name.map { CChar(bitPattern: $0) } + [0]))
  }

  private var lastComponentBytes: [UInt8] {
    guard let lastComponent else { return [] }
    return lastComponent.withPlatformString { [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
