internal import Covers
internal import Files
internal import SystemPackage

extension ClipPictures {
  /// Makes a contact sheet in a memory file, and seals and checks that.
  ///
  /// The frames are decoded, another program draws the sheet, and the decoder compresses it.
  ///
  /// - Parameters:
  ///   - style: The appearance of the sheet.
  ///   - request: The request.
  ///   - texts: The texts to store in the picture.
  ///   - file: The clip.
  ///   - decoder: The decoder to use.
  /// - Throws: ``ServiceError`` if no decoder can be started, or if no sheet can be drawn.
  func decodeSheet(
    _ style: SheetStyle,
    for request: CoverRequest,
    texts: [CoverText],
    of file: OpenClip,
    with decoder: RestartingDecoder
  ) async throws(ServiceError) -> Result<DecodedCover, CoverFailure> {
    guard let artist else { throw ServiceError("contact sheets need a program that draws them") }
    let tiles: SheetTiles
    switch try await decodeTiles(for: request, of: file, with: decoder) {
    case .success(let decoded): tiles = decoded
    case .failure(let failure): return .failure(failure)
    }
    let sheet = ContactSheet(
      style: style,
      header: .init(
        name: clip.isFile
          ? clip.path.lastComponent.map { FilePath(root: nil, [$0]).displayText } ?? "" : "standard input",
        bytes: file.version.bytes,
        facts: tiles.facts,
        clip: tiles.clip
      ),
      tiles: tiles.frames
    )
    guard sheet.isDrawable else { return .failure(.tooLargeSheet(sheet.size)) }
    switch try await artist.draw(sheet, from: tiles.pixels) {
    case .success(let drawn):
      var facts = tiles.facts
      (facts.width, facts.height) = (sheet.size.width, sheet.size.height)
      return try await compress(drawn, facts, tiles.clip, for: request, texts: texts, of: file, with: decoder)
    case .failure(let failure): return .failure(failure)
    }
  }
}

extension ContactSheet {
  /// Whether the sheet is within the limits of its formats and of memory.
  fileprivate var isDrawable: Bool {
    max(size.width, size.height) < SheetPlan.maximumSide && size.width * size.height <= SheetPlan.maximumPixels
  }
}

extension CoverFailure {
  fileprivate static func tooLargeSheet(_ size: PixelSize) -> CoverFailure {
    CoverFailure(
      stage: .encode,
      cause: .tooLarge,
      message: "the contact sheet would have \(size.width)×\(size.height) pixels; the limits are "
        + "\(SheetPlan.maximumSide - 1) for a side and \(SheetPlan.maximumPixels) for all",
      advice: "choose a smaller --size, fewer frames or more --columns"
    )
  }
}
