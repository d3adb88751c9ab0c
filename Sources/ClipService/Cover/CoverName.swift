package import Covers
internal import Files
package import SystemPackage

/// A pattern for the names of covers, such as `{stem}-thumb.{ext}`.
///
/// `{name}` stands for the name of the clip's file, `{stem}` for the same without its file extension, and `{ext}`, at
/// the end, for the file extension of the cover's format.
package struct CoverName: Hashable, Sendable {
  /// The part of the clip's name that the name of a cover contains.
  enum Part: String, CaseIterable {
    case name = "{name}"
    case stem = "{stem}"
  }

  /// A defect of a pattern.
  package enum Flaw: Error, Hashable, Sendable {
    case empty
    /// A `/`, a zero byte or a control character.
    case character
    /// Braces around something that is not a token, or without a counterpart.
    case token(String)
    /// A second `{name}` or `{stem}`, or `{ext}` in another place than the end.
    case position(String)
    /// No file extension at the end.
    case noExtension
    /// The file extension of clips, or of pictures in a format that is not written.
    case otherExtension(String)
    /// The text of the pattern alone is too long for a file name.
    case tooLong
  }

  /// The text before the part of the clip's name.
  private let prefix: String
  let part: Part?
  /// The text after it, up to the dot of the file extension.
  private let suffix: String
  /// The file extension; `nil` for that of the cover's format.
  package let fileExtension: String?

  /// The name of a cover if the user does not ask for another: `a.mp4` → `a.mp4.png`.
  package static let usual = CoverName(prefix: "", part: .name, suffix: "", fileExtension: nil)

  private init(prefix: String, part: Part?, suffix: String, fileExtension: String?) {
    (self.prefix, self.part, self.suffix, self.fileExtension) = (prefix, part, suffix, fileExtension)
  }

  /// Parses a pattern.
  package init(_ pattern: String) throws(Flaw) {
    guard !pattern.isEmpty else { throw .empty }
    guard pattern.utf8.allSatisfy({ $0 > 0x1F && $0 != 0x7F && $0 != UInt8(ascii: "/") }) else { throw .character }
    guard let dot = pattern.lastIndex(of: "."), pattern.index(after: dot) < pattern.endIndex else { throw .noExtension }
    let ending = String(pattern[pattern.index(after: dot)...])
    let fileExtension: String? = ending == Self.extensionToken ? nil : ending
    if let fileExtension {
      guard !fileExtension.contains(where: { "{}".contains($0) }) else { throw .noExtension }
      guard Self.mayEnd(fileExtension) else { throw .otherExtension(fileExtension) }
    }
    let (texts, part) = try Self.split(pattern[..<dot])
    guard let prefix = texts.first, let suffix = texts.last else { throw .empty }
    guard prefix.utf8.count + suffix.utf8.count + ending.utf8.count <= Self.maximumBytes else { throw .tooLong }
    self.init(prefix: prefix, part: part, suffix: part == nil ? "" : suffix, fileExtension: fileExtension)
  }

  private static let extensionToken = "{ext}"
  /// The maximum length of the text in a pattern, which leaves room for a shortened name of the clip.
  private static let maximumBytes = 150

  /// Splits a pattern without its file extension at the part of the clip's name.
  private static func split(_ pattern: Substring) throws(Flaw) -> (texts: [String], part: Part?) {
    var texts = [""]
    var part: Part?
    var rest = pattern
    while let character = rest.first {
      guard character == "{" || character == "}" else {
        texts[texts.count - 1].append(character)
        rest = rest.dropFirst()
        continue
      }
      let token = rest.prefix { $0 != "}" } + (rest.contains("}") ? "}" : "")
      guard character == "{", token != extensionToken else {
        throw token == extensionToken ? .position(String(token)) : .token(String(character))
      }
      guard let found = Part(rawValue: String(token)) else { throw .token(String(token)) }
      guard part == nil else { throw .position(String(token)) }
      part = found
      texts.append("")
      rest = rest.dropFirst(token.count)
    }
    return (texts, part)
  }

  private static func mayEnd(_ fileExtension: String) -> Bool {
    CoverFormat(fileExtension: fileExtension) != nil || !isOfOtherFile(fileExtension)
  }

  /// Whether a file extension is that of a clip, or of pictures in a format that is written by no command.
  package static func isOfOtherFile(_ fileExtension: String) -> Bool {
    otherPictures.contains(fileExtension.lowercased())
      || ClipExtension(ofName: Array("a.\(fileExtension)".utf8)[...]) != nil
  }

  private static let otherPictures: Set = [
    "apng", "avif", "bmp", "gif", "heic", "heif", "ico", "j2k", "jp2", "jxl", "pdf", "svg", "tga", "tif", "tiff",
  ]
}

extension CoverName {
  /// The format that the file extension stands for; `nil` if it is not that of a format.
  package var format: CoverFormat? { fileExtension.flatMap(CoverFormat.init(fileExtension:)) }

  /// Whether two clips in one folder may have the same cover.
  var mayBeShared: Bool { part != .name }

  /// What to do if two clips in one folder have the same cover; `nil` if the pattern is not the reason.
  var adviceIfShared: String? {
    switch part {
    case .name: nil
    case .stem: "use {name} in the pattern given with --name"
    case nil: "use {stem} in the pattern given with --name"
    }
  }

  /// The text before and after the part of the clip's name, without the file extension.
  var textAroundClip: (prefix: String, suffix: String) { (prefix, suffix) }

  /// Returns the path of the cover in the folder of a clip, or of another path with the clip's name.
  ///
  /// - Parameters:
  ///   - clip: The path.
  ///   - number: The number of the cover among several of the clip: `a.mp4` → `a.mp4.2.png`.
  ///   - format: The format of the cover.
  package func path(for clip: FilePath, number: Int? = nil, format: CoverFormat) -> FilePath {
    let suffix = suffix + (number.map { ".\($0)" } ?? "") + ".\(fileExtension ?? format.fileExtension)"
    switch part {
    case .name: return clip.derivingName(prefix: prefix, suffix: suffix)
    case .stem: return clip.derivingName(prefix: prefix, suffix: suffix, fromStem: true)
    case nil: return clip.removingLastComponent().appending(prefix + suffix)
    }
  }
}

extension CoverName: CustomStringConvertible {
  /// The pattern.
  package var description: String {
    prefix + (part?.rawValue ?? "") + suffix + "." + (fileExtension ?? Self.extensionToken)
  }
}
