internal import CPNG

/// An error from reading or writing a PNG.
package struct PNGError: Error, Hashable, Sendable {
  /// The `errno` value if a read or write failed, otherwise 0.
  package let systemError: Int32
  /// The message from libpng or the system.
  package let message: String

  fileprivate init(_ error: cpng_error) {
    systemError = error.system_error
    message = withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension Picture {
  /// Writes the picture as a PNG to an open file, at its current offset.
  ///
  /// The same picture and texts always produce the same bytes.
  ///
  /// - Parameters:
  ///   - descriptor: A file descriptor open for writing; it stays open.
  ///   - texts: Keywords (1 to 79 bytes) and their texts, in Latin-1, written before the pixels.
  /// - Throws: ``PNGError``; the file is then incomplete.
  package borrowing func writePNG(
    to descriptor: Int32,
    texts: [(keyword: String, text: String)] = []
  ) throws(PNGError) {
    var strings = CStrings()
    let pointers = texts.map { entry in
      cpng_text(keyword: strings.copy(entry.keyword), text: strings.copy(entry.text))
    }
    var error = cpng_error()
    let failed = withBytes { bytes in
      var picture = cpng_picture(
        width: UInt32(width),
        height: UInt32(height),
        channels: UInt32(layout.channels),
        bits: UInt32(layout.bits),
        row_bytes: rowBytes,
        rows: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      )
      return cpng_write(descriptor, &picture, pointers, pointers.count, &error)
    }
    guard failed == 0 else { throw PNGError(error) }
  }

  /// Reads a PNG from the start of an open file as 8-bit RGB, or RGBA if it has transparency.
  ///
  /// - Parameters:
  ///   - descriptor: A file descriptor open for reading; it stays open.
  ///   - maximumPixels: The maximum number of pixels; a larger picture is rejected before its pixels are read.
  /// - Throws: ``PNGError``.
  package init(readingPNGFrom descriptor: Int32, maximumPixels: Int = 64 << 20) throws(PNGError) {
    var read = cpng_picture()
    var error = cpng_error()
    guard cpng_read(descriptor, UInt64(maximumPixels), &read, &error) == 0 else { throw PNGError(error) }
    defer { cpng_free(&read) }
    var picture = Picture(
      width: Int(read.width),
      height: Int(read.height),
      layout: read.channels == 4 ? .rgba : .rgb,
      rowBytes: read.row_bytes
    )
    picture.withMutableBytes { target in
      let bytes = UnsafeRawBufferPointer(start: read.rows, count: read.row_bytes * Int(read.height))
      target.copyMemory(from: bytes)
    }
    self = picture
  }
}

/// An owner of C strings, which it frees when it is destroyed.
private struct CStrings: ~Copyable {
  private var allocations: [UnsafeMutablePointer<CChar>] = []

  mutating func copy(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() {
      copy[index] = byte
    }
    allocations.append(copy)
    return UnsafePointer(copy)
  }

  deinit {
    for allocation in allocations {
      allocation.deallocate()
    }
  }
}
