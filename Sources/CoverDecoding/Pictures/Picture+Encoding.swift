internal import CCover
internal import Covers
internal import Pictures

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

extension Picture {
  /// Writes the picture in JPEG or WebP format to an open file, at its current position.
  ///
  /// - Throws: `CoverFailure` with the stage `encode`; the file may then be partial.
  borrowing func write(
    _ encoding: ccover_encoding,
    quality: Int,
    to descriptor: Int32,
    texts: [CoverText]
  ) throws(CoverFailure) {
    let encoded = try self.encoded(encoding, quality: quality)
    let bytes =
      encoding == CCOVER_WEBP
      ? WebPHead.adding(texts, to: encoded, size: PixelSize(width: width, height: height))
      : JPEGHead.adding(texts, to: encoded)
    guard let bytes else {
      throw CoverFailure(stage: .encode, cause: .misuse, message: "the texts do not fit into the picture's head")
    }
    try writeAll(bytes.span.bytes, to: descriptor)
  }

  private borrowing func encoded(_ encoding: ccover_encoding, quality: Int) throws(CoverFailure) -> [UInt8] {
    try withShimPicture { picture throws(CoverFailure) in
      var encoded = ccover_bytes()
      defer { ccover_free_bytes(&encoded) }
      try withCoverError { ccover_encode(picture, encoding, Int32(clamping: quality), &encoded, &$0) }
      return Array(UnsafeBufferPointer(start: encoded.start, count: encoded.count))
    }
  }

  /// Calls `body` with this picture as the shim's encoders take it: they only read the rows.
  borrowing func withShimPicture<Result>(
    _ body: (UnsafePointer<ccover_picture>) throws(CoverFailure) -> Result
  ) throws(CoverFailure) -> Result {
    let (width, height, layout) = (Int32(clamping: width), Int32(clamping: height), ccover_layout(layout))
    let rowBytes = rowBytes
    return try withBytes { bytes throws(CoverFailure) in
      guard let rows = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        preconditionFailure("a picture has at least one pixel")
      }
      let picture = ccover_picture(
        width: width,
        height: height,
        layout: layout,
        row_bytes: rowBytes,
        rows: UnsafeMutablePointer(mutating: rows)
      )
      return try withUnsafePointer(to: picture, body)
    }
  }
}

/// Writes all bytes to an open file, at its current position.
func writeAll(_ bytes: RawSpan, to descriptor: Int32) throws(CoverFailure) {
  var done = 0
  while done < bytes.byteCount {
    let count = bytes.extracting(done...).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else {
      let code = errno
      throw CoverFailure(
        stage: .encode,
        cause: .outputFailed,
        code: Int(code),
        message: String(cString: strerror(code))
      )
    }
    done += count
  }
}
