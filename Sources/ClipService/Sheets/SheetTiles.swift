internal import Covers
internal import Files
internal import SystemPackage

/// The decoded tiles of a sheet, sealed in memory.
struct SheetTiles: Sendable {
  /// The facts of the picture that consists of the tiles.
  let facts: CoverFacts
  let clip: ClipFacts
  let frames: CoverFacts.Tiles
  /// The rows of that picture, as 8-bit RGB.
  let pixels: MemoryFile

  private var tileSize: PixelSize { PixelSize(width: frames.width, height: frames.height) }

  /// Joins both halves of the tiles of a sheet, each in a single column, and arranges them.
  ///
  /// - Parameters:
  ///   - first: The first half.
  ///   - second: The second half; `nil` if there are too few tiles to share.
  ///   - request: The request for the whole sheet.
  /// - Returns: `nil` if the halves do not make the sheet that one decoder would have made.
  static func joining(
    _ first: SheetTiles,
    _ second: SheetTiles?,
    for request: CoverRequest
  ) throws(CoverFailure) -> SheetTiles? {
    guard let plan = request.sheet else { return nil }
    var (facts, frames) = (first.facts, first.frames)
    var sources = frames.times.indices.map { Source(half: first, number: $0) }
    if let second {
      guard first.tileSize == second.tileSize else { return nil }
      var numbers = second.frames.times.indices
      if plan.isWithoutRepeats, let time = second.frames.times.first, let time, time == frames.times.last {
        // Whether the frame that is left out is one of the damaged ones is not known.
        guard second.frames.damaged == 0 else { return nil }
        numbers.removeFirst()
      }
      sources += numbers.map { Source(half: second, number: $0) }
      frames.times += second.frames.times[numbers]
      frames.looks? += second.frames.looks?[numbers] ?? []
      frames.damaged += second.frames.damaged
      facts.milliseconds = facts.milliseconds?.longest(second.facts.milliseconds)
    }
    let size = plan.size(tiles: sources.count, tile: first.tileSize)
    (facts.width, facts.height, facts.tiles) = (size.width, size.height, frames)
    if frames.damaged > 0 { facts.degradation = facts.degradation ?? .damagedTiles }
    guard facts.tilesFit(request), size.width * size.height <= SheetPlan.maximumPixels else { return nil }
    do throws(Errno) {
      let pixels = try arranged(sources, in: size, tile: first.tileSize)
      return SheetTiles(facts: facts, clip: first.clip, frames: frames, pixels: pixels)
    } catch {
      throw .cannotHold(error)
    }
  }

  /// A tile in a half.
  private struct Source {
    let half: SheetTiles
    let number: Int

    /// Copies the rows of the tile to their places in a row of tiles.
    func copy(to band: inout [UInt8], column: Int, rowBytes: Int) throws(Errno) {
      let (length, height) = (half.frames.width * 3, half.frames.height)
      try half.pixels.withBytes { pixels throws(Errno) in
        band.withUnsafeMutableBytes { band in
          for y in 0..<height {
            let row = pixels[(number * height + y) * length..<(number * height + y + 1) * length]
            band[(y * rowBytes + column * length)...].copyBytes(from: row)
          }
        }
      }
    }
  }

  /// Returns a sealed file with the rows of a picture of tiles, which is black outside the tiles.
  private static func arranged(
    _ sources: [Source],
    in size: PixelSize,
    tile: PixelSize
  ) throws(Errno) -> MemoryFile {
    let bytes = size.width * size.height * 3
    let file = try MemoryFile(maximumBytes: bytes)
    let columns = size.width / tile.width
    for start in stride(from: 0, to: size.height / tile.height * columns, by: columns) {
      var band = [UInt8](repeating: 0, count: size.width * tile.height * 3)
      for (column, source) in sources[min(start, sources.count)..<min(start + columns, sources.count)].enumerated() {
        try source.copy(to: &band, column: column, rowBytes: size.width * 3)
      }
      try file.descriptor.writeEverything(band)
    }
    try file.seal(bytes: bytes)
    return file
  }
}
