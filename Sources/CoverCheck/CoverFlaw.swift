public import Covers

/// What is wrong with a file that a decoder presents as a cover.
public enum CoverFlaw: Error, Hashable, Sendable {
  /// The request allows no cover of the announced size.
  case size(PixelSize)
  /// The file has more bytes than any cover of its size.
  case length(Int, most: Int)
  /// The file does not begin as one of this format.
  case otherFormat(CoverFormat)
  /// The file ends before the picture does, or a part is not laid out as the format says.
  case malformed
  /// This many bytes follow the end of the picture.
  case trailing(Int)
  /// A header differs from the announced size, bit depth or transparency.
  case header
  /// A part that a cover does not have, or has elsewhere; in words.
  case unexpected(String)
  /// The checksum of the chunk of this name does not match its bytes.
  case checksum(String)
  /// The text of this keyword is missing, or is not the expected one.
  case text(PNGText.Keyword)
  /// A text that a cover does not have.
  case unexpectedText
  /// There are no pixels.
  case noPixels
}

extension CoverFlaw: CustomStringConvertible {
  /// The flaw in words for a person, without any text from the file but an escaped name of a chunk.
  public var description: String {
    switch self {
    case .size(let size): "the request does not allow \(size.width)×\(size.height) pixels"
    case .length(let bytes, let most): "it has \(bytes) bytes, and a cover of its size has at most \(most)"
    case .otherFormat(let format): "it is not a \(format.name)"
    case .malformed: "it is cut off or malformed"
    case .trailing(let bytes): "\(bytes) more bytes follow its end"
    case .header: "its header does not match the announced picture"
    case .unexpected(let part): "unexpected \(part)"
    case .checksum(let chunk): "wrong checksum in its chunk \(chunk)"
    case .text(let keyword): "its text \(keyword.rawValue) is missing or wrong"
    case .unexpectedText: "it has a text too many"
    case .noPixels: "it has no pixels"
    }
  }
}

extension CoverFormat {
  fileprivate var name: String {
    switch self {
    case .png: "PNG"
    case .jpeg: "JPEG"
    case .webp: "WebP"
    }
  }
}
