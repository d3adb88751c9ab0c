internal import Covers
internal import Files
internal import SystemPackage

/// The place of a storyboard's folder, and the names in it.
struct StoryboardPlace {
  /// The place of the folder.
  let output: OutputPlace
  private let layout: StoryboardRequest.Layout
  /// The number of components at the end of the folder's path that are derived.
  private let derivedComponents: Int

  /// The end of the name of a storyboard's folder.
  static let folderSuffix = ".storyboard"
  /// The end of the name of the folder that Jellyfin reads the storyboards of a clip from.
  static let trickplaySuffix = ".trickplay"

  /// The name of the file that lists the tiles for web players.
  static let listName = "storyboard.vtt"

  /// Creates the place of a storyboard.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - tileWidth: The width of its tiles, which is part of a name in Jellyfin's layout.
  init(of order: StoryboardOrder, tileWidth: Int) {
    layout = order.request.layout
    switch layout {
    case .webvtt:
      let path = order.target.derivingName(suffix: Self.folderSuffix)
      (output, derivedComponents) = (
        OutputPlace(path, derivedComponents: order.derivedComponents), order.derivedComponents
      )
    case .jellyfin:
      var stem = order.target
      stem.extension = nil
      let path = stem.derivingName(suffix: Self.trickplaySuffix).appending(
        "\(tileWidth)" + Self.gridName(order.request.plan)
      )
      derivedComponents = order.derivedComponents + 1
      output = OutputPlace(path, derivedComponents: derivedComponents)
    }
  }

  private static func gridName(_ plan: SheetPlan) -> String { " - \(plan.columns)x\(plan.rows)" }

  /// Returns the places where a storyboard with tiles of at most the requested width may be.
  static func candidates(for order: StoryboardOrder) -> [StoryboardPlace] {
    let width = order.request.picture.size.width
    let usual = StoryboardPlace(of: order, tileWidth: width)
    guard order.request.layout == .jellyfin else { return [usual] }
    let folder = OutputPlace(usual.output.folder, derivedComponents: order.derivedComponents)
    let names: [String] = (try? folder.folderNames()) ?? []
    let ending = gridName(order.request.plan)
    let widths = names.compactMap { $0.hasSuffix(ending) ? Int($0.dropLast(ending.count)) : nil }
    let others = Set(widths).filter { (1..<width).contains($0) }.sorted(by: >)
    return [usual] + others.map { StoryboardPlace(of: order, tileWidth: $0) }
  }

  /// Returns the name of a sheet.
  static func sheetName(_ number: Int) -> String { "\(number).jpg" }

  /// Whether a name is that of a storyboard's file.
  static func isOwnName(_ name: String) -> Bool {
    guard name != listName else { return true }
    guard name.hasSuffix(".jpg"), let number = Int(name.dropLast(4)) else { return false }
    return name == sheetName(number)
  }

  /// The place of a sheet.
  func sheet(_ number: Int) -> OutputPlace {
    OutputPlace(output.path.appending(Self.sheetName(number)), derivedComponents: derivedComponents + 1)
  }

  /// What exists at the place.
  enum Occupant {
    case nothing
    /// A storyboard of ours, with its sheets in order.
    case storyboard(sheets: Int)
    /// A folder with files that clipcanvas did not make.
    case foreignFolder
    case refused(OutputRefusal)
  }

  /// Returns what exists at the place.
  func occupant() -> Occupant {
    switch output.occupant() {
    case .nothing: return .nothing
    case .file: return .refused(output.refusal(.foreign))
    case .link: return .refused(output.linkRefusal)
    case .special(.folder): break
    case .special(let kind): return .refused(output.refusal(.special(kind)))
    }
    guard let names = try? output.folderNames() else { return .refused(output.refusal(.unreadable(.ioError))) }
    guard !names.isEmpty else { return .nothing }
    guard Self.isStoryboard(output) else {
      return .foreignFolder
    }
    let sheets = names.count { $0 != Self.listName }
    let isComplete =
      (0..<sheets).allSatisfy { names.contains(Self.sheetName($0)) }
      && (layout == .jellyfin || names.contains(Self.listName))
    return .storyboard(sheets: isComplete ? sheets : 0)
  }

  /// Returns the head of a sheet if it was made from this version of the clip with this request.
  func freshHead(ofSheet number: Int, clip: ClipVersion, request: String) -> CoverHead? {
    ExistingCover(at: sheet(number), of: clip).freshHead(for: clip, request: request)
  }

  /// Whether the list of the tiles is there, and is this one.
  func holds(_ list: TileList) -> Bool {
    let text = Array(list.text.utf8)
    let place = OutputPlace(output.path.appending(Self.listName), derivedComponents: derivedComponents + 1)
    guard case .file(_, text.count) = place.occupant(), let file = try? place.openForReading() else { return false }
    defer { try? file.close() }
    return file.bytes(at: 0, count: text.count) == text
  }

  /// Reads the head of a sheet.
  func head(ofSheet number: Int) -> CoverHead? { Self.head(of: sheet(number)) }

  private static func head(of sheet: OutputPlace) -> CoverHead? {
    guard let file = try? sheet.openForReading() else { return nil }
    defer { try? file.close() }
    return CoverHead(of: file)
  }

  /// Reads the head of the first sheet of a storyboard.
  static func firstHead(in folder: OutputPlace) -> CoverHead? {
    head(of: OutputPlace(folder.path.appending(sheetName(0)), derivedComponents: 2))
  }

  /// Whether a path leads into the folder of a storyboard, according to its names.
  static func isInside(_ path: FilePath) -> Bool {
    path.components.contains { [folderSuffix, trickplaySuffix].contains(where: $0.string.hasSuffix) }
  }

  /// Whether a folder has files of a storyboard only, and clipcanvas made the first sheet.
  static func isStoryboard(_ folder: OutputPlace) -> Bool {
    let names: [String] = (try? folder.folderNames()) ?? []
    return !names.isEmpty && names.allSatisfy(isOwnName) && firstHead(in: folder)?.isCover == true
  }

  /// Whether a folder with a temporary name is the beginning of a storyboard; even its first sheet may be incomplete.
  static func isBeginning(_ folder: OutputPlace) -> Bool {
    let names: [String] = (try? folder.folderNames()) ?? []
    return names == [sheetName(0)] || isStoryboard(folder)
  }
}
