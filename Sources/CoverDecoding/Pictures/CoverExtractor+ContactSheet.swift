internal import CCover
package import Covers
internal import Pictures

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

// A contact sheet is made in three steps, because text is not drawn in the decoder: the frames are decoded, another
// program draws the sheet, and its pixels are compressed.

extension CoverExtractor {
  /// Decodes the frames of a contact sheet and writes their pixels, one frame after another, as rows of 8-bit RGB.
  ///
  /// - Parameters:
  ///   - clip: A descriptor open for reading; it is not closed.
  ///   - request: The request, which has a plan with a single column.
  ///   - output: A descriptor open for writing, at the start of a file; it is not closed.
  ///   - limits: Limits on the work.
  /// - Returns: The facts of the picture that consists of all frames, and those of the clip.
  /// - Throws: `CoverFailure`; the output may then contain some of the pixels.
  package static func writeTiles(
    of clip: Int32,
    request: CoverRequest,
    into output: Int32,
    limits: ClipDecoder.Limits = ClipDecoder.Limits()
  ) throws(CoverFailure) -> (picture: CoverFacts, clip: ClipFacts) {
    guard let plan = request.sheet, plan.columns == 1 else {
      throw CoverFailure(stage: .service, cause: .misuse, message: "the request is not one for a contact sheet")
    }
    let sheet = try extractSheet(of: clip, request: request, plan: plan, limits: limits)
    let bytes = sheet.picture.width * sheet.picture.height * Picture.Layout.rgb.pixelBytes
    try sheet.picture.withBytes { rows throws(CoverFailure) in
      try writeAll(rows.bytes.extracting(first: bytes), to: output)
    }
    return (sheet.facts, sheet.clip)
  }

  /// Compresses the pixels of a picture.
  ///
  /// - Parameters:
  ///   - pixels: A descriptor of a file with rows of 8-bit RGB; it is not closed.
  ///   - facts: The facts of the picture, among them its size.
  ///   - clip: The facts of its clip.
  ///   - request: The request, which has the file format.
  ///   - output: A descriptor open for writing, at the start of an empty file; it is not closed.
  ///   - texts: Texts to store in the picture; see ``makeCover(of:request:into:texts:limits:)``.
  /// - Returns: The facts, with the time taken.
  /// - Throws: `CoverFailure`; the output may then contain part of a picture.
  package static func encode(
    _ pixels: Int32,
    facts: CoverFacts,
    clip: ClipFacts,
    request: CoverRequest,
    into output: Int32,
    texts: [CoverText]
  ) throws(CoverFailure) -> CoverFacts {
    let (width, height) = (facts.width, facts.height)
    let size = PixelSize(width: width, height: height)
    guard SizeLimit.none.fitting(size) == size, lseek(pixels, 0, SEEK_END) == off_t(width * height * 3) else {
      throw CoverFailure(stage: .service, cause: .misuse, message: "the pixels are not those of the picture")
    }
    var picture = Picture(
      width: width,
      height: height,
      layout: .rgb,
      rowBytes: ccover_row_bytes(Int32(clamping: width), CCOVER_RGB8),
      tailBytes: Int(CCOVER_TAIL_PADDING)
    )
    try picture.readRows(from: pixels)
    return try write(
      ExtractedPicture(facts: facts, clip: clip, picture: picture),
      as: request,
      to: output,
      texts: texts
    )
  }
}

extension Picture {
  /// Reads all rows from the start of a file, where they are not padded.
  fileprivate mutating func readRows(from descriptor: Int32) throws(CoverFailure) {
    let (length, rowBytes, height) = (width * layout.pixelBytes, rowBytes, height)
    let isComplete = withMutableBytes { bytes in
      (0..<height).allSatisfy { y in
        pread(descriptor, bytes.baseAddress?.advanced(by: y * rowBytes), length, off_t(y * length)) == length
      }
    }
    guard isComplete else {
      throw CoverFailure(stage: .encode, cause: .inputOutput, code: Int(errno), message: "the pixels cannot be read")
    }
  }
}
