internal import Glibc
internal import SystemPackage
internal import Terminal

/// Covers as what the terminal shows, the newest of them kept.
struct CoverShelf {
  /// A cover in a place.
  struct Key: Hashable, Sendable {
    let path: String
    let size: TerminalPicture.Size
    let character: CharacterSize
    /// Which file it was: one that is replaced is drawn anew.
    let version: Version
  }

  /// What tells a file from another one.
  struct Version: Hashable, Sendable {
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

  /// What there is of a cover.
  enum Finding {
    case picture(TerminalPicture)
    /// Its file is missing or damaged.
    case unreadable
    /// It is read and comes later, by this key.
    case awaited(Key)
  }

  /// A character in pixels.
  var character = CharacterSize.usual

  private let reader: CoverReader
  private var kept: [Key: TerminalPicture?] = [:]
  /// Oldest first.
  private var order: [Key] = []
  /// What is asked for and has not come.
  private var asked: Set<Key> = []

  /// More than cells on the largest screens.
  private static let most = 512

  init(_ reader: CoverReader) {
    self.reader = reader
  }

  /// The cover in a place, which is asked for where it is not there.
  mutating func find(_ path: FilePath, fitting size: TerminalPicture.Size) -> Finding {
    guard let version = Version(path) else { return .unreadable }
    let key = Key(path: "\(path)", size: size, character: character, version: version)
    if let known = kept[key] { return known.map { .picture($0) } ?? .unreadable }
    if asked.insert(key).inserted { reader.ask(for: CoverReader.Order(key: key, path: path)) }
    return .awaited(key)
  }

  /// Forgets what was asked for: what is still in sight will be asked for again.
  mutating func forgetOrders() {
    asked = []
    reader.forgetOrders()
  }

  /// Forgets what could not be read, so that it is tried again.
  mutating func forgetUnreadable() {
    order.removeAll { kept[$0] == .some(nil) }
    kept = kept.filter { $0.value != nil }
  }

  /// Takes what has come onto the shelf.
  ///
  /// - Returns: The keys of what has come, and what is to be told, if anything.
  mutating func takeDelivery() -> (keys: [Key], problem: String?) {
    let delivery = reader.takeDelivery()
    for (key, picture) in delivery.pictures { keep(picture, as: key) }
    return (delivery.pictures.map(\.key), delivery.problem)
  }

  private mutating func keep(_ picture: TerminalPicture?, as key: Key) {
    asked.remove(key)
    if kept.updateValue(picture, forKey: key) == nil { order.append(key) }
    if order.count > Self.most { kept[order.removeFirst()] = nil }
  }
}
