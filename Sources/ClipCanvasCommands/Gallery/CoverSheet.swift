package import CoverService
package import Covers
package import Files
package import SystemPackage

/// A page that shows all covers of a batch: one HTML file that needs no network and no other file but the covers.
///
/// Cards are written as they come, and nothing of them is kept, so the sheet of 100 000 clips takes no more memory than
/// that of one. An older sheet stays as it was until the new one is complete.
package struct CoverSheet: ~Copyable {
  /// What the sheet tells of one clip.
  package struct Entry: Sendable {
    /// The clip's file.
    package var clip: FilePath
    /// What the clip is called on the sheet, such as its path below the folder that was walked; `nil` for `clip`.
    package var shownPath: FilePath?
    /// Its cover; an older one may be there of a clip that gives none now.
    package var cover: FilePath?
    /// What became of it.
    package var status: CoverOutcome.Status
    /// Of the cover, in pixels.
    package var coverSize: PixelSize?
    /// Of the clip.
    package var durationSeconds: Double?
    /// Size of the clip's file.
    package var clipBytes: Int?
    /// Why it has no cover, or why it is degraded, in words.
    package var failure: String?

    /// Makes one of its parts.
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

  /// What becomes the page; `nil` for standard output.
  private var file: ReplacementFile?
  private let path: FilePath
  private let title: String
  private let links: RelativeLinks
  private var buffer: [UInt8] = []
  /// The first thing that went wrong; nothing is written after it.
  private var failure: FileReplacementError?

  /// Starts a new version of the sheet at `path`, whose folder must exist.
  ///
  /// - Parameters:
  ///   - path: The sheet's file, `-` for standard output; a relative path is relative to the current folder.
  ///   - title: What it shows, such as the name of the folder; any text.
  package init(replacing path: FilePath, title: String = "Covers") throws(FileReplacementError) {
    if path == "-" { file = nil } else { file = try ReplacementFile(for: path) }
    self.path = path
    self.title = title
    links = RelativeLinks(from: path)
    write(Self.head(title: title))
  }

  /// Adds a card.
  ///
  /// A disk that is full makes ``finish(_:remark:)`` fail and disturbs nothing until then: the covers of a batch are worth
  /// more than its sheet.
  package mutating func add(_ entry: Entry) {
    write(card(of: entry, links: links))
  }

  /// Writes the end of the page and puts it in the place of an older one.
  ///
  /// A sheet that is let go of without this leaves the older one as it was.
  ///
  /// - Parameters:
  ///   - summary: What the page tells at its top.
  ///   - remark: What stands below that, such as how long the batch took; any text.
  /// - Throws: What went wrong first, here or in ``add(_:)``.
  package consuming func finish(_ summary: BatchSummary, remark: String? = nil) throws(FileReplacementError) {
    write(Self.tail(title: title, summary: summary, remark: remark))
    flush()
    if let failure { throw failure }
    try file.take()?.commit()
  }

  /// Whether a file is a sheet that clipcanvas made.
  package static func isSheet(_ file: FileDescriptor) -> Bool {
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
