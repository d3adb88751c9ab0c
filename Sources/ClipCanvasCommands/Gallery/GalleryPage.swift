internal import ClipService
internal import Covers
package import Files
package import SystemPackage

/// A page that shows all clips of a batch: an HTML file that needs no network, and no other files than the clips and their
/// pictures.
///
/// Cards are kept in files (`CardFile`), so the gallery of 100 000 clips takes little more memory than that of one clip:
/// only what is compared of covers.
/// An older gallery remains unchanged until the new one is complete.
package struct GalleryPage: ~Copyable {
  /// The new version of the page; `nil` for standard output.
  private var file: ReplacementFile?
  private let path: FilePath
  private let title: String
  private let links: RelativeLinks
  /// The cards of the clips that have a cover.
  private let tiles: CardFile
  /// What is compared of their covers.
  private var looks: [FrameLook?] = []
  /// The cards of the others, by cause.
  private var failures: [CoverFailure.Cause?: CardFile] = [:]
  private var totals = Totals()
  /// The first error; nothing is written after it.
  private var failure: FileReplacementError?

  /// The sums shown at the top of the page.
  struct Totals {
    var clips = 0
    var seconds = 0.0
    var bytes = 0

    mutating func add(_ facts: Facts) {
      clips += 1
      if let duration = facts.durationSeconds, duration.isFinite { seconds += max(0, duration) }
      bytes = bytes.addingReportingOverflow(facts.bytes ?? 0).overflow ? .max : bytes + (facts.bytes ?? 0)
    }
  }

  /// Starts a new version of the gallery at `path`, whose folder must exist.
  ///
  /// - Parameters:
  ///   - path: The path of the gallery, relative to the current folder; `-` for standard output.
  ///   - title: The title, such as the name of the folder; any text.
  package init(replacing path: FilePath, title: String = "Covers") throws(FileReplacementError) {
    let tiles = try CardFile(for: path)
    self.init(path, title, tiles, file: path == "-" ? nil : try ReplacementFile(for: path))
  }

  private init(_ path: FilePath, _ title: String, _ tiles: CardFile, file: consuming ReplacementFile?) {
    (self.path, self.title, self.tiles) = (path, title, tiles)
    links = RelativeLinks(from: path)
    self.file = file
  }

  /// Adds a card.
  ///
  /// A write error, such as a full disk, is thrown only by ``finish(remark:)``, because the covers of a batch matter
  /// more than its gallery.
  package mutating func add(_ entry: Entry) {
    totals.add(entry.facts)
    attempt { page throws in
      guard entry.cover == nil else {
        page.looks.append(entry.look)
        return try page.tiles.add(Self.tile(of: entry, links: page.links))
      }
      let file = try page.failures[entry.cause] ?? CardFile(for: page.path)
      page.failures[entry.cause] = file
      try file.add(Self.failureRow(of: entry, links: page.links))
    }
  }

  /// Writes the page and replaces an older one with it.
  ///
  /// If a gallery is discarded without calling this method, the older one remains unchanged.
  ///
  /// - Parameter remark: A remark shown below the title, such as that clips are missing; any text.
  /// - Throws: The first error, here or in ``add(_:)``.
  package consuming func finish(remark: String? = nil) throws(FileReplacementError) {
    let target = file?.descriptor ?? .standardOutput
    attempt { page throws in
      let alike = LikenessGroups.groups(
        of: page.looks.map { ClipLook(first: $0) },
        distance: LikenessGroups.usualDistance
      )
      try target.writeAll(Self.head(title: page.title, totals: page.totals, remark: remark, alike: alike).utf8)
      try page.tiles.copy(to: target)
      try target.writeAll(Self.middle.utf8)
      try page.writeFailures(to: target)
      try target.writeAll(Self.tail.utf8)
    }
    if let failure { throw failure }
    try file.take()?.commit()
  }

  /// Writes the clips without a cover, the most frequent causes first.
  private borrowing func writeFailures(to target: FileDescriptor) throws {
    guard !failures.isEmpty else { return }
    try target.writeAll(Self.failuresHead(count: failures.values.reduce(0) { $0 + $1.count }).utf8)
    let sections = failures.map { (heading: Self.heading(of: $0), file: $1) }
    for section in sections.sorted(by: { ($1.file.count, $0.heading) < ($0.file.count, $1.heading) }) {
      try target.writeAll(Self.causeHead(section.heading, count: section.file.count).utf8)
      try section.file.copy(to: target)
      try target.writeAll("</ul>\n</details>\n".utf8)
    }
    try target.writeAll("</details>\n".utf8)
  }

  /// Returns whether a file is a gallery made by clipcanvas.
  package static func isGallery(_ file: FileDescriptor) -> Bool {
    let start = String(decoding: file.bytes(at: 0, count: 4096), as: UTF8.self)
    return start.hasPrefix("<!DOCTYPE html>") && start.contains("<meta name=\"generator\" content=\"clipcanvas ")
  }

  /// Does a part of the work, unless an earlier part failed.
  private mutating func attempt(_ body: (inout GalleryPage) throws -> Void) {
    guard failure == nil else { return }
    do {
      try body(&self)
    } catch {
      failure =
        error as? FileReplacementError
        ?? FileReplacementError(operation: "write", path: path, errno: error as? Errno ?? .ioError)
    }
  }
}
