package import BoardSupport
internal import CanvasModel
package import ClipService
package import Covers
internal import Files
package import Pictures
package import SystemPackage

/// The covers of a board as large as their canvases and decoded only once where possible.
package struct CoverPictures {
  /// The cover of a canvas.
  package enum Next {
    /// The canvas shows no cover.
    case none
    case picture(PictureBox)
    /// The cover cannot be shown.
    case missing(cover: String, CoverFailure)
  }

  private struct Key: Hashable {
    let path: String
    let width: Int
    let height: Int

    init?(_ cell: BoardPlan.Cell) {
      guard let cover = cell.cover else { return nil }
      (path, width, height) = (cover.path, cell.place.width, cell.place.height)
    }
  }

  /// The maximum size of all pictures kept for later canvases, in pixels; other pictures are decoded again.
  private static let maximumKept = 64 << 20

  private let folder: FilePath
  private let palette: Palette
  private let service: () throws(ServiceError) -> CoverService
  private let hasBackdrops: Bool
  private var scaler: CoverScaler?
  /// The number of remaining canvases that use each cover.
  private var uses: [Key: Int]
  private var kept: [Key: Result<PictureBox, CoverFailure>] = [:]
  private var keptPixels = 0

  private init(
    of plan: BoardPlan,
    in folder: FilePath,
    _ palette: Palette,
    hasBackdrops: Bool,
    decoding service: @escaping () throws(ServiceError) -> CoverService
  ) {
    (self.folder, self.palette, self.service) = (folder, palette, service)
    self.hasBackdrops = hasBackdrops
    uses = plan.cells.compactMap(Key.init).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Calls a closure with each canvas of a plan and its cover, in order, and prints why a cover cannot be shown.
  ///
  /// - Parameters:
  ///   - plan: The layout of the picture.
  ///   - folder: The board's folder.
  ///   - palette: The colours, for what covers leave free.
  ///   - hasBackdrops: Whether the grounds of covers that do not fill their canvases are wanted on their own, too.
  ///   - service: A closure that returns the service whose decoder decodes the covers, called only if there are any.
  ///   - body: The closure.
  package static func forEachCell(
    of plan: BoardPlan,
    in folder: FilePath,
    _ palette: Palette,
    hasBackdrops: Bool = false,
    decoding service: @escaping () throws(ServiceError) -> CoverService,
    _ body: (BoardPlan.Cell, Next) throws(CommandError) -> Void
  ) async throws(CommandError) {
    var covers = CoverPictures(of: plan, in: folder, palette, hasBackdrops: hasBackdrops, decoding: service)
    for cell in plan.cells {
      let cover = try await covers.next(for: cell)
      if case .missing(let path, let failure) = cover {
        StandardError.print("clipcanvas: \(RenderReport.Problem(cell.face.id, cover: path, failure).line)")
      }
      try body(cell, cover)
    }
    await covers.scaler?.end()
  }

  /// Returns the cover of the next canvas of the plan.
  private mutating func next(for cell: BoardPlan.Cell) async throws(CommandError) -> Next {
    guard let key = Key(cell) else { return .none }
    let result: Result<PictureBox, CoverFailure>
    if let known = kept[key] {
      result = known
    } else {
      result = try await decode(key)
    }
    keep(result, of: key)
    switch result {
    case .success(let cover): return .picture(cover)
    case .failure(let failure): return .missing(cover: key.path, failure)
    }
  }

  private mutating func keep(_ result: Result<PictureBox, CoverFailure>, of key: Key) {
    let rest = (uses[key] ?? 1) - 1
    uses[key] = rest
    let pixels = key.width * key.height
    if rest == 0 {
      if kept.removeValue(forKey: key) != nil { keptPixels -= pixels }
    } else if kept[key] == nil, keptPixels + pixels <= Self.maximumKept {
      kept[key] = result
      keptPixels += pixels
    }
  }

  private mutating func decode(_ key: Key) async throws(CommandError) -> Result<PictureBox, CoverFailure> {
    guard let box = SizeLimit(width: key.width, height: key.height) else {
      preconditionFailure("a canvas must fit into the picture")
    }
    let scaled: Result<CoverScaler.ScaledCover, CoverFailure>
    do throws(ServiceError) {
      let scaler = if let scaler { scaler } else { CoverScaler(try service()) }
      self.scaler = scaler
      let ground = palette.groundColour
      scaled = try await scaler.scale(BoardPath.path(of: key.path, in: folder), .mostlyFilling(box), over: ground)
    } catch {
      throw CommandError(error)
    }
    return scaled.flatMap { cover in
      PictureBox.read(
        cover,
        width: key.width,
        height: key.height,
        over: palette.table,
        keepsBackdrop: hasBackdrops
      )
    }
  }
}

/// A picture with shared ownership.
package final class PictureBox {
  package let picture: Picture
  /// The ground of a picture that is only as wide or as high as its place, if it is wanted.
  package let backdrop: PictureBox?
  /// The duration of the clip whose cover it is.
  let clipSeconds: Double?

  init(_ picture: consuming Picture, backdrop: PictureBox? = nil, clipSeconds: Double? = nil) {
    self.picture = picture
    self.backdrop = backdrop
    self.clipSeconds = clipSeconds
  }

  /// Reads the decoder's picture and checks its size again.
  ///
  /// A picture that is only as wide or only as high as its place is centred in it.
  static func read(
    _ scaled: CoverScaler.ScaledCover,
    width: Int,
    height: Int,
    over ground: Paint,
    keepsBackdrop: Bool
  ) -> Result<PictureBox, CoverFailure> {
    do throws(PNGError) {
      let picture = try Picture(readingPNGFrom: scaled.file.descriptor.rawValue, maximumPixels: width * height)
      let (isWide, isHigh) = (picture.width == width, picture.height == height)
      guard isWide && picture.height <= height || isHigh && picture.width <= width else {
        return .failure(
          CoverFailure(stage: .service, cause: .invalidReply, message: "the decoder returned a wrong picture size")
        )
      }
      // The decoder composes the cover on a background, so only a compromised decoder returns an alpha channel.
      let cover = picture.layout == .rgb ? picture : picture.droppingAlpha()
      guard !isWide || !isHigh else { return .success(PictureBox(cover, clipSeconds: scaled.clipSeconds)) }
      let whole = cover.centred(width: width, height: height, mixedWith: ground)
      let backdrop =
        keepsBackdrop ? PictureBox(cover.backdrop(width: width, height: height, mixedWith: ground)) : nil
      return .success(PictureBox(whole, backdrop: backdrop, clipSeconds: scaled.clipSeconds))
    } catch {
      return .failure(CoverFailure(stage: .service, cause: .invalidReply, message: error.message))
    }
  }
}
