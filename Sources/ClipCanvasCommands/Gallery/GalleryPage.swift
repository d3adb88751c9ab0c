package import CoverService
package import Covers
package import Files
package import SystemPackage

/// A page that shows all covers of a batch: an HTML file that needs no network and no files other than the covers.
///
/// Each card is written immediately and then discarded, so the gallery of 100 000 clips takes no more memory than that of
/// one clip. An older gallery remains unchanged until the new one is complete.
package struct GalleryPage: ~Copyable {
  /// A clip on the gallery.
  package struct Entry: Sendable {
    /// The path of the clip.
    package var clip: FilePath
    /// The path shown on the gallery, such as the path relative to the searched folder; `nil` for `clip`.
    package var shownPath: FilePath?
    /// The path of the cover, which may be an older one if no cover can be made now.
    package var cover: FilePath?
    /// The status of the outcome.
    package var status: CoverOutcome.Status
    /// The size of the cover, in pixels.
    package var coverSize: PixelSize?
    /// The duration of the clip.
    package var durationSeconds: Double?
    /// The size of the clip's file.
    package var clipBytes: Int?
    /// A message that explains why the clip has no cover, or why the cover is degraded.
    package var failure: String?

    /// Creates an entry.
    package init(
      clip: FilePath,
      shownPath: FilePath? = nil,
      cover: FilePath?,
      status: CoverOutcome.Status,
      coverSize: PixelSize? = nil,
      durationSeconds: Double? = nil,
      clipBytes: Int? = nil,
      failure: String? = nil
    ) {
      self.clip = clip
      self.shownPath = shownPath
      self.cover = cover
      self.status = status
      self.coverSize = coverSize
      self.durationSeconds = durationSeconds
      self.clipBytes = clipBytes
      self.failure = failure
    }
  }

  private static let bufferBytes = 1 << 16

  /// The new version of the page; `nil` for standard output.
  private var file: ReplacementFile?
  private let path: FilePath
  private let title: String
  private let links: RelativeLinks
  private var buffer: [UInt8] = []
  /// The first error, after which nothing is written.
  private var failure: FileReplacementError?

  /// Starts a new version of the gallery at `path`, whose folder must exist.
  ///
  /// - Parameters:
  ///   - path: The path of the gallery, relative to the current folder; `-` for standard output.
  ///   - title: The title, such as the name of the folder; any text.
  package init(replacing path: FilePath, title: String = "Covers") throws(FileReplacementError) {
    if path == "-" { file = nil } else { file = try ReplacementFile(for: path) }
    self.path = path
    self.title = title
    links = RelativeLinks(from: path)
    write(Self.head(title: title))
  }

  /// Adds a card.
  ///
  /// A write error, such as a full disk, is thrown only by ``finish(_:remark:)``, because the covers of a batch matter
  /// more than its gallery.
  package mutating func add(_ entry: Entry) {
    write(card(of: entry, links: links))
  }

  /// Writes the end of the page and replaces an older one with it.
  ///
  /// If a gallery is discarded without calling this method, the older one remains unchanged.
  ///
  /// - Parameters:
  ///   - summary: The summary, shown at the top of the page.
  ///   - remark: A remark shown below the summary, such as how long the batch took; any text.
  /// - Throws: The first error, here or in ``add(_:)``.
  package consuming func finish(_ summary: BatchSummary, remark: String? = nil) throws(FileReplacementError) {
    write(Self.tail(title: title, summary: summary, remark: remark))
    flush()
    if let failure { throw failure }
    try file.take()?.commit()
  }

  /// Returns whether a file is a gallery made by clipcanvas.
  package static func isGallery(_ file: FileDescriptor) -> Bool {
    let start = String(decoding: file.bytes(at: 0, count: 4096), as: UTF8.self)
    return start.hasPrefix("<!DOCTYPE html>") && start.contains("<meta name=\"generator\" content=\"clipcanvas ")
  }

  private mutating func write(_ text: String) {
    buffer += text.utf8
    if buffer.count >= Self.bufferBytes { flush() }
  }

  private mutating func flush() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failure == nil else { return }
    do {
      try (file?.descriptor ?? .standardOutput).writeAll(buffer)
    } catch {
      failure = FileReplacementError(operation: "write", path: path, errno: error as? Errno ?? .ioError)
    }
  }
}
