internal import Files
internal import Glibc
internal import SystemPackage

/// Cards of a page, in a temporary file without a name until the page is written.
///
/// The header of a page contains the number of its clips, so no card can be written to the page before the last clip is
/// known; and the memory of a batch must not grow with the number of clips.
final class CardFile {
  private let file: ReplacementFile
  private var buffer: [UInt8] = []
  /// The number of cards.
  private(set) var count = 0

  private static let bufferBytes = 1 << 14

  /// Creates a file in the folder of a page; for standard output (`-`), in the folder for temporary files.
  init(for page: FilePath) throws(FileReplacementError) {
    // The file is never given the name.
    let temporary = TemporaryFile.folder(usually: "/tmp").appending(".clipcanvas-\(getpid())")
    file = try ReplacementFile(for: page == "-" ? temporary : page)
  }

  /// Adds a card.
  func add(_ card: String) throws {
    count += 1
    buffer += card.utf8
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Writes all cards to another file.
  func copy(to target: FileDescriptor) throws {
    try flush()
    try file.descriptor.copyAll(to: target)
  }

  private func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    try file.descriptor.writeAll(buffer)
  }
}
