internal import Covers
internal import Files
internal import SystemPackage

/// The names in a folder of clips, used to recognise the pictures and failure markers of clips that still exist.
///
/// A picture is recognised by its name in any format, because its clip may have pictures that were
/// made with other options.
struct PictureNames {
  /// The kind of a file that belongs to a clip, according to its name.
  enum Kind {
    case picture, storyboard, trickplay, marker
  }

  private var names: Set<ArraySlice<UInt8>> = []
  private var stems: Set<ArraySlice<UInt8>> = []
  /// The digests of names and stems that may be too long to be contained in the names of pictures and markers.
  private var digests: Set<ArraySlice<UInt8>> = []
  /// Whether any of the names may be that of a clip.
  private var hasClips = false
  private let pattern: CoverName
  private let takesAllFiles: Bool

  /// The shortest name of a clip that may be shortened, in bytes; most of the rest may be text of a pattern.
  private static let longName = 100

  private static let markerPrefix: [UInt8] = Array(".".utf8)
  private static let markerSuffix = Array(FailureMarker.ending.utf8)
  private static let storyboardSuffix = Array(StoryboardPlace.folderSuffix.utf8)
  private static let trickplaySuffix = Array(StoryboardPlace.trickplaySuffix.utf8)
  private static let coverExtensions: [[UInt8]] =
    CoverFormat.allCases.map { Array(".\($0.fileExtension)".utf8) } + [Array(".jpeg".utf8)]
  /// The extension of animations, which may also be that of clips.
  private static let gif = Array(".gif".utf8)
  private static let pictureExtensions = coverExtensions + [gif]
  private static let middles = [[], Array(".sheet".utf8), Array(".preview".utf8)]

  /// - Parameters:
  ///   - listing: The names in the folder of the clips; `nil` if the folder is gone.
  ///   - pattern: The pattern of the names of covers.
  ///   - takesAllFiles: Whether clips may have any file extension.
  init(_ listing: FolderListing?, pattern: CoverName, takesAllFiles: Bool) {
    (self.pattern, self.takesAllFiles) = (pattern, takesAllFiles)
    guard let listing else { return }
    for index in 0..<listing.count where listing[index].kind != .folder { add(listing[index].name) }
  }

  private mutating func add(_ name: ArraySlice<UInt8>) {
    names.insert(name)
    // The pattern may give a picture the stem of its clip, but the picture is not that clip.
    if !isCover(name) { stems.insert(name.stem) }
    hasClips = hasClips || mayBeClip(name)
    guard name.count >= Self.longName else { return }
    for text in [name, name.stem] { digests.insert(Array(DerivedName.digest(of: Array(text)).utf8)[...]) }
  }

  private func mayBeClip(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.first != UInt8(ascii: ".") else { return false }
    return ClipExtension(ofName: name) != nil || takesAllFiles && !isCover(name)
  }

  /// Returns the kind of a file that belongs to a clip, according to its name; `nil` if it has the name of none.
  func kind(of name: ArraySlice<UInt8>, isFolder: Bool) -> Kind? {
    if isFolder {
      return name.ends(with: Self.storyboardSuffix)
        ? .storyboard : name.ends(with: Self.trickplaySuffix) ? .trickplay : nil
    }
    if name.starts(with: Self.markerPrefix), name.ends(with: Self.markerSuffix) { return .marker }
    return isCover(name) || name.ends(with: Self.gif) ? .picture : nil
  }

  /// Whether a name ends as that of a cover does, in any format.
  private func isCover(_ name: ArraySlice<UInt8>) -> Bool {
    Self.coverExtensions.contains { name.ends(with: $0) }
      || pattern.fileExtension.map { name.ends(with: Array(".\($0)".utf8)) } ?? false
  }

  /// Whether a file with this name belongs to a clip that exists.
  func hasClip(ofName name: ArraySlice<UInt8>, kind: Kind) -> Bool {
    guard !DerivedName.digests(in: name).contains(where: digests.contains) else { return true }
    switch kind {
    case .marker: return names.contains(name.dropFirst().dropLast(Self.markerSuffix.count))
    case .storyboard: return names.contains(name.dropLast(Self.storyboardSuffix.count))
    case .trickplay: return stems.contains(name.dropLast(Self.trickplaySuffix.count))
    case .picture: return [name, Self.withoutNumber(name)].compactMap(\.self).contains(where: hasClip(ofPicture:))
    }
  }

  /// Whether a clip exists from whose name that of a picture without a number is derived.
  private func hasClip(ofPicture name: ArraySlice<UInt8>) -> Bool {
    hasClip(ofUsualPicture: name) || hasClip(ofPatternedCover: name)
  }

  private func hasClip(ofPatternedCover name: ArraySlice<UInt8>) -> Bool {
    guard let text = pattern.clipPart(ofName: name) else { return false }
    return switch pattern.part {
    case .name: names.contains(text)
    case .stem: stems.contains(text)
    case nil: hasClips
    }
  }

  private func hasClip(ofUsualPicture name: ArraySlice<UInt8>) -> Bool {
    guard let ending = Self.pictureExtensions.first(where: { name.ends(with: $0) }) else { return false }
    let rest = name.dropLast(ending.count)
    return Self.middles.contains { rest.ends(with: $0) && names.contains(rest.dropLast($0.count)) }
  }

  /// Returns the name of one of several covers without its number, `a.mp4.png` for `a.mp4.2.png`; `nil` if it has none.
  private static func withoutNumber(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let digits = name[..<dot].reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    let start = name[..<dot].dropLast(digits)
    return digits > 0 && start.last == UInt8(ascii: ".") ? start.dropLast() + name[dot...] : nil
  }
}

extension BidirectionalCollection where Element: Equatable {
  /// Whether the collection ends with another one.
  fileprivate func ends(with other: some BidirectionalCollection<Element>) -> Bool {
    reversed().starts(with: other.reversed())
  }
}

extension CoverName {
  /// Returns the part of the name of a cover that is the name of the clip, or its stem; `nil` if the name does
  /// not follow the pattern.
  ///
  /// The part is empty if the pattern has no such part.
  func clipPart(ofName name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let (prefix, suffix) = textAroundClip
    let endings = fileExtension.map { [$0] } ?? CoverFormat.allCases.map(\.fileExtension)
    for text in endings.map({ Array("\(suffix).\($0)".utf8) })
    where name.count >= prefix.utf8.count + text.count && name.starts(with: prefix.utf8) && name.ends(with: text) {
      let rest = name.dropFirst(prefix.utf8.count).dropLast(text.count)
      if rest.isEmpty == (part == nil) { return rest }
    }
    return nil
  }
}
