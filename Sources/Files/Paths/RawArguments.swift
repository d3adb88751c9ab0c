internal import CLinux

/// The command-line arguments, without loss of any byte.
///
/// A file name is a sequence of bytes, but `CommandLine.arguments` and the argument parser use text and replace bytes
/// that are not UTF-8. Therefore each such byte is encoded as a scalar of a private-use range, and decoded where a path
/// is needed. A name that really contains scalars of this range is encoded byte by byte too, so every name survives the
/// round trip.
package enum RawArguments {
  /// The byte 0x80 is encoded as `base + 0x80`, and so on up to 0xFF.
  private static let base: UInt32 = 0x10_FF00

  /// Returns the arguments of this process, without the program name.
  package static func ofProcess() -> [String] {
    (1..<max(1, clinux_argument_count())).compactMap { index in
      clinux_argument(index).map { text(ofBytes: UnsafeBufferPointer(start: $0, count: length(of: $0))) }
    }
  }

  private static func length(of start: UnsafePointer<CChar>) -> Int {
    var length = 0
    while start[length] != 0 { length += 1 }
    return length
  }

  /// Returns text that encodes arbitrary bytes.
  package static func text(ofBytes bytes: some Collection<CChar>) -> String {
    var result = String.UnicodeScalarView()
    var rest = bytes.map { UInt8(bitPattern: $0) }[...]
    while let first = rest.first {
      let scalar = (1...4).lazy.compactMap { Self.scalar(from: rest.prefix($0)) }.first
      if let scalar, !isStandIn(scalar) {
        result.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        result.append(standIn(for: first))
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  /// Returns the bytes encoded by ``text(ofBytes:)``.
  package static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      isStandIn(scalar) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// Returns the scalar if these bytes are the UTF-8 encoding of exactly one.
  private static func scalar(from bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.count == 1 else { return nil }
    return text.unicodeScalars.first
  }

  private static func isStandIn(_ scalar: Unicode.Scalar) -> Bool {
    (base + 0x80...base + 0xFF).contains(scalar.value)
  }

  /// - Parameter byte: A byte from 0x80 to 0xFF; all others are valid scalars on their own.
  private static func standIn(for byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}"
  }
}
