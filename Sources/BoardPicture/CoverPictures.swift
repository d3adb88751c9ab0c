internal import BoardText
internal import CanvasModel
internal import CoverService
internal import Covers
internal import Files
internal import Pictures
internal import SystemPackage

/// The covers of a board as large as their canvases and decoded only once where possible.
struct CoverPictures {
  /// The cover of a canvas.
  enum Next {
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
  private let service: () throws(CommandError) -> CoverService
  private var scaler: CoverScaler?
  /// The number of remaining canvases that use each cover.
  private var uses: [Key: Int]
  private var kept: [Key: Result<PictureBox, CoverFailure>] = [:]
  private var keptPixels = 0

  /// - Parameters:
  ///   - plan: The layout of the picture.
  ///   - folder: The board's folder.
  ///   - palette: The colours, for what covers leave free.
  ///   - service: A closure that returns the service whose decoder decodes the covers.
  init(
    of plan: BoardPlan,
    in folder: FilePath,
    _ palette: Palette,
    decoding service: @escaping () throws(CommandError) -> CoverService
  ) {
    (self.folder, self.palette, self.service) = (folder, palette, service)
    uses = plan.cells.compactMap(Key.init).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Returns the cover of the next canvas; call this for the cells of the plan in order.
  mutating func next(for cell: BoardPlan.Cell) async throws(CommandError) -> Next {
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

  /// Ends the decoder.
  func end() async {
    await scaler?.end()
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
    let scaler = if let scaler { scaler } else { CoverScaler(try service()) }
    self.scaler = scaler
    let ground = Colour(red: palette.ground.red, green: palette.ground.green, blue: palette.ground.blue)
    let scaled: Result<CoverScaler.ScaledCover, CoverFailure>
    do throws(ServiceError) {
      scaled = try await scaler.scale(BoardPath.path(of: key.path, in: folder), .mostlyFilling(box), over: ground)
    } catch {
      throw CommandError(.cannotContinue, error.description)
    }
    return scaled.flatMap { PictureBox.read($0, width: key.width, height: key.height, over: palette.table) }
  }
}

/// A picture with shared ownership.
final class PictureBox {
  let picture: Picture
  /// The duration of the clip whose cover it is.
  let clipSeconds: Double?

  init(_ picture: consuming Picture, clipSeconds: Double? = nil) {
    self.picture = picture
    self.clipSeconds = clipSeconds
  }

  /// Reads the decoder's picture and checks its size again.
  ///
  /// A picture that is only as wide or only as high as its place is centred in it.
  static func read(
    _ scaled: CoverScaler.ScaledCover,
    width: Int,
    height: Int,
    over ground: Paint
  ) -> Result<PictureBox, CoverFailure> {
    do throws(PNGError) {
      let picture = try Picture(readingPNGFrom: scaled.file.descriptor.rawValue, maximumPixels: width * height)
      let (isWide, isHigh) = (picture.width == width, picture.height == height)
      guard isWide && picture.height <= height || isHigh && picture.width <= width else {
        return .failure(
          CoverFailure(stage: .service, cause: .decoderNonsense, message: "the decoder gave a picture of another size")
        )
      }
      // The decoder composes the cover on a background, so only a compromised decoder returns an alpha channel.
      let cover = picture.layout == .rgb ? picture : picture.droppingAlpha()
      guard !isWide || !isHigh else { return .success(PictureBox(cover, clipSeconds: scaled.clipSeconds)) }
      let whole = cover.centred(width: width, height: height, mixedWith: ground)
      return .success(PictureBox(whole, clipSeconds: scaled.clipSeconds))
    } catch {
      return .failure(CoverFailure(stage: .service, cause: .decoderNonsense, message: error.message))
    }
  }
}
