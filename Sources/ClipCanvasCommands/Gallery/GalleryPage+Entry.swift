package import Covers
package import SystemPackage

extension GalleryPage {
  /// A clip in the gallery.
  package struct Entry: Sendable {
    /// The path of the clip.
    package var clip: FilePath
    /// The path shown in the gallery, such as the path relative to the searched folder; `nil` for `clip`.
    package var shownPath: FilePath?
    /// The path of the cover; `nil` if the clip has none.
    package var cover: FilePath?
    /// The status of the outcome.
    package var status: PictureOutcome.Status
    /// The size of the cover, in pixels.
    package var coverSize: PixelSize?
    /// The facts of the clip.
    package var facts = Facts()
    /// Why the clip has no cover.
    package var cause: CoverFailure.Cause?
    /// A message that explains why the clip has no cover, or why the cover is degraded.
    package var reason: String?
    /// The path of the animation, if there is one.
    package var animation: FilePath?
    /// The storyboard, if there is one.
    package var storyboard: Storyboard?

    /// What is compared of the cover, to find clips that look alike.
    package var look: FrameLook?

    /// Creates an entry; values without a parameter are unknown or missing.
    package init(clip: FilePath, cover: FilePath?, status: PictureOutcome.Status) {
      (self.clip, self.cover, self.status) = (clip, cover, status)
    }
  }

  /// The facts on a clip's card; `nil` if they are not known.
  package struct Facts: Sendable {
    /// The duration of the clip, in seconds.
    package var durationSeconds: Double?
    /// The stored size of the video, in pixels.
    package var storedSize: PixelSize?
    /// FFmpeg's name of the codec.
    package var codec: String?
    /// The frame rate, in frames per second.
    package var frameRate: Double?
    /// The size of the clip's file.
    package var bytes: Int?
    /// The modification time of the clip's file, in seconds since 1970.
    package var modificationTime: Int?
    /// When the clip was recorded, if it states that.
    package var captureDate: CaptureDate?
    /// The mean luma of the cover, from 0 (black) to 255 (white).
    package var meanLuma: Double?

    /// The mean luma below which a cover is dark, because hardly anything can be seen.
    static let darkLuma = 24.0

    /// Whether hardly anything can be seen on the cover.
    var isDark: Bool { meanLuma.map { $0 < Self.darkLuma } ?? false }
    /// When the clip was recorded, or else its file was changed.
    var date: GalleryDate? {
      captureDate.map(GalleryDate.init(_:)) ?? modificationTime.flatMap { GalleryDate(modificationTime: $0) }
    }

    /// Creates facts without values.
    package init() {}
  }

  /// The sheets of a storyboard, whose files are named `0.jpg`, `1.jpg` and so on.
  package struct Storyboard: Sendable {
    /// The folder of the sheets.
    package var folder: FilePath
    /// The plan of the first sheet.
    package var plan: SheetPlan
    /// The number of tiles of all sheets.
    package var tiles: Int
    /// The size of a tile, in pixels.
    package var tileSize: PixelSize

    /// Creates a description of a storyboard.
    package init(folder: FilePath, plan: SheetPlan, tiles: Int, tileSize: PixelSize) {
      (self.folder, self.plan, self.tiles, self.tileSize) = (folder, plan, tiles, tileSize)
    }
  }
}
