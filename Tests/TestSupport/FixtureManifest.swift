internal import FoundationEssentials
public import SystemPackage

/// `Fixtures/manifest.json`: the project's own clips, the commands that made them and the facts worked out by hand.
public struct FixtureManifest: Decodable, Sendable {
  /// In the order of the file.
  public let fixtures: [Fixture]

  /// The manifest of this project.
  public static let shared: FixtureManifest = {
    do {
      let bytes = try ScratchFolder.read(ProjectFolder.fixture("manifest.json"))
      return try JSONDecoder().decode(FixtureManifest.self, from: Data(bytes))
    } catch {
      preconditionFailure("Fixtures/manifest.json cannot be read: \(error)")
    }
  }()

  /// The fixtures that give a cover.
  public static var withCover: [Fixture] { shared.fixtures.filter { $0.cover != nil } }

  /// The fixtures that give none.
  public static var withoutCover: [Fixture] { shared.fixtures.filter { $0.failure != nil } }
}

/// One clip of `Fixtures/`.
public struct Fixture: Decodable, Sendable, CustomStringConvertible {
  /// What `clipcanvas probe` must tell.
  public struct Facts: Decodable, Sendable {
    /// FFmpeg's name.
    public let container: String
    /// FFmpeg's name of the codec.
    public let codec: String?
    /// Pixels as stored.
    public let storedWidth: Int
    /// Of the same, in pixels.
    public let storedHeight: Int
    /// Degrees clockwise that turn it upright.
    public let rotation: Int
    /// Left to right, before the rotation.
    public let mirrored: Bool
    /// As `4:3`.
    public let sampleAspectRatio: String?
    /// FFmpeg's name of the pixel format.
    public let pixelFormat: String?
    /// Of the video.
    public let durationSeconds: Double?
    /// The average.
    public let framesPerSecond: Double?
    /// Whether it has sound.
    public let hasAudio: Bool
  }

  /// What its cover must be.
  public struct Cover: Decodable, Sendable {
    /// Of the full-size cover, in pixels.
    public let width: Int
    /// Of the same, in pixels.
    public let height: Int
    /// Colours 5 % inside the top left, top right, bottom left and bottom right corner, as `ff0000`.
    public let corners: [String]?
    /// Which of the frames that ffmpeg decodes is the cover, counted from 0, where it is not the first.
    public let frame: Int?
    /// Options that ffmpeg needs in front of its input to make the right cover.
    public let reference: [String]?
  }

  /// Where in the work × what was wrong.
  public struct Failure: Decodable, Sendable {
    /// A `CoverFailure.Stage`.
    public let stage: String
    /// A `CoverFailure.Cause`.
    public let cause: String
  }

  /// Its name in the folder.
  public let file: String
  /// What it is for.
  public let about: String
  /// The rows of the design's table of covers that it serves.
  public let rows: [Int]
  /// Worked out by hand.
  public let facts: Facts?
  /// What its cover must be, where it gives one.
  public let cover: Cover?
  /// Why it gives no cover, where it gives none.
  public let failure: Failure?

  /// Where the clip is.
  public var path: FilePath { ProjectFolder.fixture(file) }

  /// As a person types it.
  public var description: String { file }
}
