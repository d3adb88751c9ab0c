internal import Covers

/// A picture of many frames of a clip, its tiles, in rows from the top left.
public struct ClipSheet: Sendable, Hashable {
  /// The whole picture; its ``ClipImage/actualTime`` is that of the first tile.
  public let image: ClipImage
  /// The size of each tile.
  public let tileSize: PictureSize
  /// When the frame of each tile is presented, in seconds from the start of the video; `nil` for a tile whose frame
  /// cannot be decoded.
  public let times: [Double?]
  /// The number of tiles whose frame is damaged.
  public let damagedTiles: Int

  /// The number of tiles in a full row.
  public var columns: Int { image.size.width / tileSize.width }

  init(_ image: ClipImage, facts: CoverFacts) {
    let tiles = facts.tiles
    self.image = image
    tileSize = PictureSize(width: tiles?.width ?? facts.width, height: tiles?.height ?? facts.height)
    (times, damagedTiles) = (tiles?.times ?? [], tiles?.damaged ?? 0)
  }
}
