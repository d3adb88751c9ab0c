internal import Covers

/// A picture of many frames of a clip, its tiles, in rows from the top left.
public struct ClipSheet: Sendable, Hashable {
  /// The complete file, in the format of the generator.
  public let data: [UInt8]
  /// The media type of ``data``, such as `image/webp`.
  public let mediaType: String
  /// The size of the whole picture.
  public let size: PictureSize
  /// The size of each tile.
  public let tileSize: PictureSize
  /// When the frame of each tile is presented, in seconds from the start of the video; `nil` for a tile whose frame
  /// cannot be decoded.
  public let times: [Double?]
  /// The number of tiles whose frame is damaged.
  public let damagedTiles: Int
  /// The duration of the clip in seconds, if it is known.
  public let clipDuration: Double?
  /// What was done differently from the request or had to be guessed, as sentences.
  public let warnings: [String]

  /// The number of tiles in a full row.
  public var columns: Int { size.width / tileSize.width }

  init(data: [UInt8], mediaType: String, facts: CoverFacts) {
    let tiles = facts.tiles
    (self.data, self.mediaType) = (data, mediaType)
    size = PictureSize(width: facts.width, height: facts.height)
    tileSize = PictureSize(width: tiles?.width ?? facts.width, height: tiles?.height ?? facts.height)
    (times, damagedTiles) = (tiles?.times ?? [], tiles?.damaged ?? 0)
    (clipDuration, warnings) = (facts.durationSeconds, facts.warnings)
  }
}
