package import Covers

/// A defect in a file that a decoder has returned as a cover.
package enum CoverFlaw: Error, Hashable, Sendable {
  /// The request does not allow a cover of the reported size.
  case size(PixelSize)
  /// The file has more bytes than any cover of its size.
  case length(Int, most: Int)
  /// The file does not begin like a file of the requested format.
  case otherFormat(CoverFormat)
  /// The file does not begin like an animation of the requested format.
  case otherAnimation(AnimationFormat)
  /// The file ends before the picture does, or a part violates the format.
  case malformed
  /// The given number of bytes follow the end of the picture.
  case trailing(Int)
  /// A header does not match the reported size, bit depth or transparency.
  case header
  /// The file contains a part that a cover does not have, or has in another place; the value describes it.
  case unexpected(String)
  /// The checksum of the named chunk does not match its bytes.
  case checksum(String)
  /// The text of the given keyword is missing or wrong.
  case text(CoverText.Keyword)
  /// The file contains a text that a cover does not have.
  case unexpectedText
  /// The file has no pixels.
  case noPixels
  /// The animation has another number of frames than reported.
  case frames(Int)
  /// The durations of the animation's frames add up to another number of milliseconds than reported.
  case duration(Int)
}

extension CoverFlaw: CustomStringConvertible {
  /// A description for people; the only part taken from the file is a chunk name, which is escaped.
  package var description: String {
    switch self {
    case .size(let size): "the request does not allow \(size.width)×\(size.height) pixels"
    case .length(let bytes, let most): "\(bytes) bytes, more than the \(most) that a cover of this size can have"
    case .otherFormat(let format): "not a \(format.name)"
    case .otherAnimation(let format): "not an animated \(format == .gif ? "GIF" : "WebP")"
    case .malformed: "truncated or malformed"
    case .trailing(let bytes): "\(bytes) bytes after the end"
    case .header: "the header does not match the announced picture"
    case .unexpected(let part): "unexpected \(part)"
    case .checksum(let chunk): "wrong checksum in the chunk \(chunk)"
    case .text(let keyword): "the text \(keyword.rawValue) is missing or wrong"
    case .unexpectedText: "it has an unexpected text"
    case .noPixels: "it has no pixels"
    case .frames(let frames): "\(frames) frames, not as many as announced"
    case .duration(let milliseconds): "a duration of \(milliseconds) ms, not the one announced"
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
