package import Covers

/// The validation of a complete file that a decoder has returned as a cover.
///
/// The file is compared with the request, the texts that were sent, and the decoder's reply. Every byte is checked
/// except the compressed pixels and their compression tables, which cannot be verified without decoding.
package struct CoverFileCheck: PictureCheck, Hashable {
  /// The request.
  package let request: CoverRequest
  /// The reported size in pixels.
  package let size: PixelSize
  /// Whether the decoder reported transparency.
  package let hasAlpha: Bool
  /// The texts that were sent, in order.
  package let texts: [CoverText]
  /// The text that states the reported facts; `nil` if the file must not have one.
  package let facts: CoverText?

  /// Creates a check for one file.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - size: The reported size in pixels.
  ///   - hasAlpha: Whether the decoder reported transparency.
  ///   - texts: The texts that were sent, in order.
  ///   - facts: The text that states the reported facts; `nil` if the file must not have one.
  package init(request: CoverRequest, size: PixelSize, hasAlpha: Bool, texts: [CoverText], facts: CoverText?) {
    self.request = request
    self.size = size
    self.hasAlpha = hasAlpha
    self.texts = texts
    self.facts = facts
  }

  var storedTexts: StoredTexts { StoredTexts(sent: texts, facts: facts) }

  /// Checks the reported size and the length of a file before the file is read.
  package func validate(byteCount: Int) throws(CoverFlaw) {
    guard request.allows(size) else { throw .size(size) }
    guard byteCount <= maximumBytes else { throw .length(byteCount, most: maximumBytes) }
  }

  /// Checks a complete file.
  ///
  /// - Parameter file: All bytes of the file; they must not change during the call.
  package func validate(_ file: UnsafeRawBufferPointer) throws(CoverFlaw) {
    try validate(byteCount: file.count)
    try file.withMemoryRebound(to: UInt8.self) { bytes throws(CoverFlaw) in
      switch request.format {
      case .png: try validatePNG(bytes.span)
      case .jpeg: try validateJPEG(bytes.span)
      case .webp: try validateWebP(bytes.span)
      }
    }
  }
}
