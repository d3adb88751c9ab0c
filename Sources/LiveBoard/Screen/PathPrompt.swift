internal import CanvasModel
internal import Files
internal import Glibc
internal import SystemPackage

/// The bottom line while it asks for the path of a clip.
///
/// A path is a sequence of bytes, and any of them can be typed, pasted and completed.
struct PathPrompt {
  /// What a key does to the prompt.
  enum Step {
    case changed
    case accepted
    case cancelled
  }

  /// The canvas that the clip is for.
  let canvas: CanvasID
  /// Whether the clip replaces that of the canvas.
  let replaces: Bool
  /// The names that Tab could not choose between.
  private(set) var candidates: [String] = []
  /// Why the last path was not accepted.
  var problem: String?
  private var bytes: [UInt8] = []

  init(for canvas: CanvasID, replaces: Bool) {
    (self.canvas, self.replaces) = (canvas, replaces)
  }

  /// The path; a `~` at the start stands for the user's home folder, as in a shell.
  var path: FilePath { FilePath(bytes: Self.expanded(bytes)) }

  /// The input as text that is safe to show.
  var text: String { DisplayText.of(bytes) }

  private static func expanded(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: "~/".utf8), let home = getenv("HOME") else { return bytes }
    return FilePath(platformString: home).bytes + bytes.dropFirst()
  }

  // MARK: - Keys

  /// Handles a key or a byte of pasted text.
  mutating func take(_ input: Input) -> Step {
    (candidates, problem) = ([], nil)
    switch input {
    case .key(.enter): return bytes.isEmpty ? .cancelled : .accepted
    case .key(.escape): return .cancelled
    case .key(.tab): complete()
    case .key(.backspace): removeLast()
    case .key(.character(let character)): bytes += String(character).utf8
    case .key(.byte(let byte)): bytes.append(byte)
    // A pasted path often ends with a line break, and no path contains a NUL.
    case .pasted(let byte): if ![0x00, 0x0A, 0x0D].contains(byte) { bytes.append(byte) }
    case .key, .mouse: break
    }
    return .changed
  }

  /// Removes the last character, or the last byte if it is not part of one.
  private mutating func removeLast() {
    let length = (1...4).first { String(validating: bytes.suffix($0), as: UTF8.self)?.unicodeScalars.count == 1 }
    bytes.removeLast(min(length ?? 1, bytes.count))
  }

  // MARK: - Completion

  /// Extends the name by whatever all names in the folder that start with it have in common.
  private mutating func complete() {
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let typed = bytes[start...]
    let folder = FilePath(bytes: start == 0 ? Array(".".utf8) : Self.expanded(Array(bytes[..<start])))
    let names = Self.names(in: folder, startingWith: typed)
    guard let first = names.first else {
      problem = "nothing in the folder starts with this"
      return
    }
    let common = names.reduce(first) { Array(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
    let added = Self.wholeCharacters(common, of: first).dropFirst(typed.count)
    bytes += added
    if names.count > 1 {
      if added.isEmpty { candidates = names.map { DisplayText.of($0) } }
    } else if Folder.exists(at: folder.appending(FilePath(bytes: first).components)) {
      bytes.append(UInt8(ascii: "/"))
    }
  }

  private static func names(in folder: FilePath, startingWith start: ArraySlice<UInt8>) -> [[UInt8]] {
    let includesHidden = FolderListing.isHidden(start)
    guard
      let listing = try? FolderListing(of: folder, includesHidden: { _, _ in includesHidden }, isWanted: { _ in true })
    else { return [] }
    return (0..<listing.count).map { Array(listing[$0].name) }.filter { $0.starts(with: start) }
  }

  /// Returns the beginning of a name without a character that was cut in the middle.
  private static func wholeCharacters(_ part: [UInt8], of name: [UInt8]) -> ArraySlice<UInt8> {
    var part = part[...]
    while part.count < name.count, name[part.count] & 0xC0 == 0x80, !part.isEmpty { part.removeLast() }
    return part
  }
}
