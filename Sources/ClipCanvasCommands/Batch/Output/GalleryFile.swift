internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// The page given with `--gallery`; each clip is added to it when all work on the clip has ended.
struct GalleryFile: ~Copyable {
  private var page: GalleryPage

  /// Starts the page.
  ///
  /// - Parameters:
  ///   - path: The path given by the user; `-` for standard output.
  ///   - title: The title of the page.
  ///   - isForced: Whether to replace a file that is not a gallery.
  ///   - inputs: The files that the run reads, each with a description.
  init(at path: FilePath, title: String, isForced: Bool, sparing inputs: [FileIdentity: String]) throws {
    try Self.check(path, isForced: isForced, sparing: inputs)
    do {
      page = try GalleryPage(replacing: path, title: title)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Adds a clip.
  mutating func add(_ result: ClipResult) {
    if let entry = GalleryPage.Entry(result) { page.add(entry) }
  }

  /// Puts the page in place.
  consuming func finish(isInterrupted: Bool) throws {
    do {
      try page.finish(remark: isInterrupted ? "The run was interrupted, so some clips are missing." : nil)
    } catch {
      throw Self.failure(error)
    }
  }

  private static func check(_ path: FilePath, isForced: Bool, sparing inputs: [FileIdentity: String]) throws {
    guard path != "-" else { return }
    do throws(OutputRefusal) {
      try OutputPlace(named: path).check(
        isForced: isForced,
        sparing: inputs,
        sparesData: true,
        isOurs: GalleryPage.isGallery
      )
    } catch {
      throw CommandError(error, product: "a page made by clipcanvas", option: "--gallery")
    }
  }

  private static func failure(_ error: FileReplacementError) -> CommandError {
    let name = error.path == "-" ? "standard output" : error.path.displayText
    return CommandError(
      .cannotContinue,
      "cannot make the gallery: cannot \(error.operation) \(name): \(error.errno.message); "
        + "specify another file with --gallery"
    )
  }
}

extension GalleryPage.Entry {
  /// Creates the entry of a clip; fails in a batch that makes no covers.
  fileprivate init?(_ result: ClipResult) {
    guard let (outcome, cover) = result.cover else { return nil }
    self.init(clip: result.clip, cover: outcome.hasPicture ? cover : nil, status: outcome.status)
    coverSize = outcome.size
    facts = GalleryPage.Facts(outcome)
    cause = outcome.failure?.cause
    reason = outcome.failure?.explanation(after: .cover) ?? outcome.facts?.warnings.last
    look = outcome.facts.flatMap { facts in
      facts.perceptualHash.map { FrameLook(hash: $0, lumaVariance: facts.lumaVariance) }
    }
    animation = result.animation
    storyboard = result.storyboard.flatMap { outcome, folder in
      guard let content = outcome.storyboard, let plan = outcome.request.sheet else { return nil }
      let tileSize = PixelSize(width: content.tileWidth, height: content.tileHeight)
      return .init(folder: folder, plan: plan, tiles: content.tiles, tileSize: tileSize)
    }
  }
}

extension GalleryPage.Facts {
  fileprivate init(_ outcome: PictureOutcome) {
    self.init()
    durationSeconds = outcome.facts?.durationSeconds ?? outcome.durationSeconds
    storedSize = outcome.facts.map { PixelSize(width: $0.storedWidth, height: $0.storedHeight) }
    codec = outcome.facts?.codec
    frameRate = outcome.facts?.frameRate
    bytes = outcome.clip.bytes
    (captureDate, meanLuma) = (outcome.facts?.captureDate, outcome.facts?.meanLuma)
    modificationTime = outcome.clip.mtimeNanoseconds.map { $0 / 1_000_000_000 }
  }
}
