internal import Covers

/// The file format of images and sheets.
public enum ImageFormat: Sendable, Hashable {
  /// Lossless, with transparency.
  case png
  /// Lossy, without transparency: transparent parts are drawn over black. The quality is within 1…100.
  case jpeg(quality: Int = 90)
  /// Lossy, with transparency. The quality is within 1…100.
  case webp(quality: Int = 90)

  /// The media type, such as `image/png`.
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    }
  }

  func apply(to request: inout CoverRequest) throws(ClipError) {
    switch self {
    case .png: request.format = .png
    case .jpeg(let quality): (request.format, request.quality) = (.jpeg, quality)
    case .webp(let quality): (request.format, request.quality) = (.webp, quality)
    }
    guard (1...100).contains(request.quality) else {
      throw ClipError(request: "the quality must be within 1…100, not \(request.quality)")
    }
  }
}

/// The size of a picture in pixels.
public struct PictureSize: Sendable, Hashable {
  /// The width, at least 1.
  public var width: Int
  /// The height, at least 1.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// The size as the limit of a request.
  ///
  /// - Throws: ``ClipError`` if a side is out of range.
  func limit(_ noun: String) throws(ClipError) -> SizeLimit {
    guard let limit = SizeLimit(width: width, height: height) else {
      throw ClipError(request: "\(noun) must be within 1…\(SizeLimit.largestSide) pixels, not \(width)×\(height)")
    }
    return limit
  }
}
