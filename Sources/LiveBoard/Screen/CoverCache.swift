internal import Files
internal import SystemPackage

/// A cache of the most recent covers, rendered for the terminal.
struct CoverCache {
  /// The identity of a rendered cover.
  struct Key: Hashable, Sendable {
    let path: String
    let size: TerminalPicture.Size
    let character: CharacterSize
    /// The version of the file, so that a replaced cover is rendered again.
    let version: Version
  }

  /// The properties that identify one version of a file.
  struct Version: Hashable, Sendable {
    let identity: FileIdentity
    let bytes: Int
    let time: FileTime

    init?(_ path: FilePath) {
      guard let status = try? FileStatus(of: path) else { return nil }
      (identity, bytes, time) = (status.identity, status.bytes, status.modificationTime)
    }
  }

  /// The result of looking up a cover.
  enum Finding {
    case picture(TerminalPicture)
    /// The file is missing or damaged.
    case unreadable
    /// The cover is being read and will be delivered with this key.
    case awaited(Key)
  }

  /// The size of a character in pixels.
  var character = CharacterSize.usual

  private let reader: CoverReader
  private var kept: [Key: TerminalPicture?] = [:]
  /// The keys of the cached covers, oldest first.
  private var order: [Key] = []
  /// The keys of the requested covers that have not been delivered.
  private var asked: Set<Key> = []

  /// The maximum number of cached covers, more than there are cells on the largest screens.
  private static let most = 512

  init(_ reader: CoverReader) {
    self.reader = reader
  }

  /// Returns a cover rendered at a size, or requests it if it is not cached.
  mutating func find(_ path: FilePath, fitting size: TerminalPicture.Size) -> Finding {
    guard let version = Version(path) else { return .unreadable }
    let key = Key(path: "\(path)", size: size, character: character, version: version)
    if let known = kept[key] { return known.map { .picture($0) } ?? .unreadable }
    if asked.insert(key).inserted { reader.ask(for: CoverReader.Order(key: key, path: path)) }
    return .awaited(key)
  }

  /// Cancels all requests; covers still on the screen are requested again when they are drawn.
  mutating func forgetOrders() {
    asked = []
    reader.forgetOrders()
  }

  /// Discards the entries of unreadable covers, so that they are requested again.
  mutating func forgetUnreadable() {
    order.removeAll { kept[$0] == .some(nil) }
    kept = kept.filter { $0.value != nil }
  }

  /// Adds delivered covers to the cache.
  ///
  /// - Returns: The keys of the delivered covers, and a problem to report, if any.
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
