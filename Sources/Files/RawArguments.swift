internal import CArguments

/// The command line's arguments without loss.
///
/// A name is bytes, but Swift's `CommandLine.arguments` and the argument parser work on text, and bytes that are no
/// UTF-8 are replaced there. So each such byte becomes one scalar of a private range on the way in, and a byte again
/// where a path is read. A name that really holds scalars of that range is carried byte by byte too, so every name
/// comes back as it was.
public enum RawArguments {
  /// 0x80 here stands for the byte 0x80, and so on to 0xFF.
  private static let base: UInt32 = 0x10_FF00

  /// The arguments of this process, the program's name left out.
  public static func ofProcess() -> [String] {
    (1..<max(1, carguments_count())).compactMap { index in
      carguments_get(index).map { text(ofBytes: UnsafeBufferPointer(start: $0, count: length(of: $0))) }
    }
  }

  private static func length(of start: UnsafePointer<CChar>) -> Int {
    var length = 0
    while start[length] != 0 { length += 1 }
    return length
  }

  /// Text that holds any bytes.
  public static func text(ofBytes bytes: some Collection<CChar>) -> String {
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

  /// The bytes that a text made by ``text(ofBytes:)`` holds.
  public static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      isStandIn(scalar) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// The one scalar that these bytes are, if they are.
  private static func scalar(from bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.count == 1 else { return nil }
    return text.unicodeScalars.first
  }

  private static func isStandIn(_ scalar: Unicode.Scalar) -> Bool {
    (base + 0x80...base + 0xFF).contains(scalar.value)
  }

  /// - Parameter byte: One of 0x80…0xFF: every other byte is a scalar by itself.
  private static func standIn(for byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}"
  }
}
