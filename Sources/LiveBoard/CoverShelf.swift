internal import Glibc
internal import Pictures
internal import SystemPackage
internal import TerminalPictures

/// Covers as what the terminal shows, the newest of them kept.
struct CoverShelf {
  /// A cover in a place.
  struct Key: Hashable {
    let path: String
    let size: TerminalPicture.Size
    /// Which file it was: one that is replaced is drawn anew.
    let version: Version?
  }

  /// What tells a file from another one.
  struct Version: Hashable {
    let inode: UInt64
    let bytes: Int
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: FilePath) {
      var status = stat()
      guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
      (inode, bytes) = (UInt64(status.st_ino), Int(status.st_size))
      (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }
  }

  private let abilities: PictureAbilities
  private var kept: [Key: TerminalPicture?] = [:]
  /// Oldest first.
  private var order: [Key] = []
  /// A character in pixels.
  var character = TerminalPicture.Character.usual {
    didSet {
      guard character != oldValue else { return }
      kept = [:]
      order = []
    }
  }

  /// More than cells on the largest screens.
  private static let most = 512
  private static let mostPixels = 32 << 20

  init(_ abilities: PictureAbilities) {
    self.abilities = abilities
  }

  /// The cover in a place; `nil` when its file is missing or damaged.
  mutating func picture(_ path: FilePath, fitting size: TerminalPicture.Size) -> TerminalPicture? {
    let key = Key(path: "\(path)", size: size, version: Version(path))
    if let known = kept[key] { return known }
    let picture = key.version == nil ? nil : read(path, fitting: size)
    if order.count >= Self.most { kept[order.removeFirst()] = nil }
    order.append(key)
    kept.updateValue(picture, forKey: key)
    return picture
  }

  private func read(_ path: FilePath, fitting size: TerminalPicture.Size) -> TerminalPicture? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec]) else {
      return nil
    }
    defer { try? file.close() }
    var status = stat()
    guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let picture = try? Picture(readingPNGFrom: file.rawValue, maximumPixels: Self.mostPixels)
    else { return nil }
    return TerminalPicture(picture, fitting: size, abilities: abilities, character: character)
  }
}
