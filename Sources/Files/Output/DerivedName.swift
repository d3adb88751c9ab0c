internal import CLinux
internal import Glibc
package import SystemPackage

/// Names derived from other names, such as `.a.mp4.failed.json` from `a.mp4`.
package enum DerivedName {
  /// The maximum length of a file name on Linux file systems, in bytes.
  private static let maximumBytes = 255
  private static let digestBytes = 32
  private static let digestMark = UInt8(ascii: "~")

  /// Returns a name with a prefix and a suffix.
  ///
  /// If the result is too long for a file system, the end of the name is replaced by a digest of the whole name, so
  /// that long names that differ only at the end still produce different names.
  ///
  /// - Parameters:
  ///   - name: The bytes of a file's name.
  ///   - prefix: The text before the name.
  ///   - suffix: The text after the name.
  package static func make(
    from name: some BidirectionalCollection<UInt8>,
    prefix: String = "",
    suffix: String
  ) -> [UInt8] {
    let room = maximumBytes - prefix.utf8.count - suffix.utf8.count
    guard name.count > room else { return Array(prefix.utf8) + name + Array(suffix.utf8) }
    let kept = start(of: name, maximumBytes: room - 1 - digestBytes)
    return Array(prefix.utf8) + kept + [digestMark] + Array(digest(of: Array(name)).utf8) + Array(suffix.utf8)
  }

  /// Returns the parts of a name that may be the digest of a longer one; see ``make(from:prefix:suffix:)``.
  package static func digests(in name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    name.indices.filter { name[$0] == digestMark }.map { name[$0...].dropFirst().prefix(digestBytes) }
  }

  /// Returns the MD5 digest of bytes as 32 lower-case hexadecimal digits.
  package static func digest(of bytes: [UInt8]) -> String {
    // The digits and a NUL.
    var digits: [CChar] = Array(repeating: 0, count: digestBytes + 1)
    MD5Data(bytes, bytes.count, &digits)
    return String(decoding: digits.prefix(digestBytes).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns at most the given number of bytes from the start, without splitting a UTF-8 character.
  private static func start(of name: some BidirectionalCollection<UInt8>, maximumBytes: Int) -> [UInt8] {
    var kept = Array(name.prefix(maximumBytes))
    let next = name.dropFirst(maximumBytes).first ?? 0
    guard next & 0xC0 == 0x80 else { return kept }
    while let last = kept.popLast(), last & 0xC0 == 0x80 {}
    return kept
  }
}

extension FilePath {
  /// The end of the name of a folder for the covers of a board.
  package static let boardCoversSuffix = ".covers"

  /// The name of the folder for the covers of the board at this path, which is next to it:
  /// `board.covers` for `board.json`.
  package var nameOfBoardCovers: FilePath { FilePath(stem ?? "board").derivingName(suffix: Self.boardCoversSuffix) }

  /// The name of the folder for the clips that browsers record on the board at this path, which is next to it:
  /// `board.clips` for `board.json`.
  package var nameOfBoardClips: FilePath { FilePath(stem ?? "board").derivingName(suffix: ".clips") }

  /// Returns the path with a name derived from its last component.
  ///
  /// - Parameters:
  ///   - prefix: The text before the name.
  ///   - suffix: The text after the name.
  ///   - fromStem: Whether the name is derived from the last component without its file extension.
  package func derivingName(prefix: String = "", suffix: String, fromStem: Bool = false) -> FilePath {
    let bytes = lastComponentBytes[...]
    let name = DerivedName.make(from: fromStem ? bytes.stem : bytes, prefix: prefix, suffix: suffix)
    return removingLastComponent().pushing(FilePath(platformString: name.map { CChar(bitPattern: $0) } + [0]))
  }

  private var lastComponentBytes: [UInt8] {
    guard let lastComponent else { return [] }
    return lastComponent.withPlatformString { [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes of a file's name before its file extension.
  package var stem: ArraySlice<UInt8> {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > startIndex else { return self }
    return self[..<dot]
  }
}
