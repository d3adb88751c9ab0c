internal import Covers
internal import Files
internal import SystemPackage

/// The names in a folder of clips, by which the pictures and failure markers of clips that still exist are recognised.
///
/// A picture is recognised by its name in any format, because its clip may have pictures that were made with other options.
struct PictureNames {
  /// The kind of a file that belongs to a clip, according to its name.
  enum Kind {
    case picture, storyboard, trickplay, marker
  }

  private var names: Set<ArraySlice<UInt8>> = []
  private var stems: Set<ArraySlice<UInt8>> = []
  /// The names of pictures and markers of clips whose own names are too long to be contained in them.
  private var shortened: Set<ArraySlice<UInt8>> = []
  private let pattern: CoverName

  /// The length from which the name of a clip may be shortened, in bytes.
  private static let longName = 200

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
  init(_ listing: FolderListing?, pattern: CoverName) {
    self.pattern = pattern
    guard let listing else { return }
    for index in 0..<listing.count where listing[index].kind != .folder { add(listing[index].name) }
  }

  private mutating func add(_ name: ArraySlice<UInt8>) {
    names.insert(name)
    // A picture has the stem of its own clip where the pattern says so, but is not that clip.
    if !isCover(name) { stems.insert(name.stem) }
    guard name.count >= Self.longName else { return }
    let path = FilePath(bytes: name)
    var derived = [
      path.derivingName(prefix: ".", suffix: FailureMarker.ending),
      path.derivingName(suffix: StoryboardPlace.folderSuffix),
    ]
    for ending in Self.pictureExtensions.map({ String(decoding: $0, as: UTF8.self) }) {
      derived += ["", ".sheet", ".preview"].map { path.derivingName(suffix: $0 + ending) }
    }
    derived += CoverFormat.allCases.map { pattern.path(for: path, format: $0) }
    shortened.formUnion(derived.map { $0.bytes[...] })
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
    guard !shortened.contains(name) else { return true }
    switch kind {
    case .marker: return names.contains(name.dropFirst().dropLast(Self.markerSuffix.count))
    case .storyboard: return names.contains(name.dropLast(Self.storyboardSuffix.count))
    case .trickplay: return stems.contains(name.dropLast(Self.trickplaySuffix.count))
    case .picture:
      return pattern.clipPart(ofName: name).map { $0.isStem ? stems.contains($0.bytes) : names.contains($0.bytes) }
        ?? false
        || hasClip(ofPicture: name)
    }
  }

  /// Whether a clip exists from whose name that of a picture is derived without a pattern.
  private func hasClip(ofPicture name: ArraySlice<UInt8>) -> Bool {
    guard let ending = Self.pictureExtensions.first(where: { name.ends(with: $0) }) else { return false }
    let rest = name.dropLast(ending.count)
    if Self.middles.contains(where: { rest.ends(with: $0) && names.contains(rest.dropLast($0.count)) }) { return true }
    // One of several covers: `a.mp4.2.png`.
    let digits = rest.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    let numbered = rest.dropLast(digits)
    return digits > 0 && numbered.last == UInt8(ascii: ".") && names.contains(numbered.dropLast())
  }
}

extension BidirectionalCollection where Element: Equatable {
  /// Whether the collection ends with another one.
  fileprivate func ends(with other: some BidirectionalCollection<Element>) -> Bool {
    reversed().starts(with: other.reversed())
  }
}

extension CoverName {
  /// Returns the part of the name of a cover that is the name of the clip, or its stem; `nil` if the name does not follow the
  /// pattern, or the pattern has no such part.
  func clipPart(ofName name: ArraySlice<UInt8>) -> (bytes: ArraySlice<UInt8>, isStem: Bool)? {
    guard let (prefix, suffix, isStem) = textAroundClip else { return nil }
    let ending =
      fileExtension.map { [$0] } ?? CoverFormat.allCases.map(\.fileExtension)
    for text in ending.map({ Array("\(suffix).\($0)".utf8) })
    where name.count > prefix.utf8.count + text.count && name.starts(with: prefix.utf8) && name.ends(with: text) {
      return (name.dropFirst(prefix.utf8.count).dropLast(text.count), isStem)
    }
    return nil
  }
}
