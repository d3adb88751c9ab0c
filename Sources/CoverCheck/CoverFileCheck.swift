public import Covers

/// The check of a whole file that a decoder presents as a cover.
///
/// It holds the file against what was requested, what was sent and what the decoder announced. Every byte is checked but
/// the compressed pixels and the tables that they are compressed by: those remain the decoder's word.
public struct CoverFileCheck: Hashable, Sendable {
  /// What was requested.
  public let request: CoverRequest
  /// The announced size, in pixels.
  public let size: PixelSize
  /// Whether transparency is announced.
  public let hasAlpha: Bool
  /// The texts that were sent, in their order.
  public let texts: [PNGText]

  /// Creates the check of one file.
  ///
  /// - Parameters:
  ///   - request: What was requested.
  ///   - size: The announced size, in pixels.
  ///   - hasAlpha: Whether transparency is announced.
  ///   - texts: The texts that were sent, in their order.
  public init(request: CoverRequest, size: PixelSize, hasAlpha: Bool, texts: [PNGText]) {
    self.request = request
    self.size = size
    self.hasAlpha = hasAlpha
    self.texts = texts
  }

  /// Checks the announced size and the length of a file before the file is read.
  public func validate(byteCount: Int) throws(CoverFlaw) {
    guard request.allows(size) else { throw .size(size) }
    guard byteCount <= mostBytes else { throw .length(byteCount, most: mostBytes) }
  }

  /// Checks a whole file.
  ///
  /// - Parameter file: All of its bytes; nobody may change them meanwhile.
  public func validate(_ file: UnsafeRawBufferPointer) throws(CoverFlaw) {
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
