internal import FoundationEssentials
public import SystemPackage

/// `Fixtures/manifest.json`: the fixtures, the commands that made them and the facts worked out by hand.
public struct FixtureManifest: Decodable, Sendable {
  /// The fixtures, in the order of the file.
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

  /// The fixtures that do not give a cover.
  public static var withoutCover: [Fixture] { shared.fixtures.filter { $0.failure != nil } }
}

/// A clip in `Fixtures/`.
public struct Fixture: Decodable, Sendable, CustomStringConvertible {
  /// The facts that `clipcanvas probe` must report.
  public struct Facts: Decodable, Sendable {
    /// FFmpeg's name of the container.
    public let container: String
    /// FFmpeg's name of the codec.
    public let codec: String?
    /// The stored width, in pixels.
    public let storedWidth: Int
    /// The stored height, in pixels.
    public let storedHeight: Int
    /// The clockwise rotation that turns the picture upright, in degrees.
    public let rotation: Int
    /// Whether the picture is mirrored left to right before the rotation.
    public let mirrored: Bool
    /// The sample aspect ratio, such as `4:3`.
    public let sampleAspectRatio: String?
    /// FFmpeg's name of the pixel format.
    public let pixelFormat: String?
    /// The duration that the container states, in seconds.
    public let durationSeconds: Double?
    /// The average frame rate.
    public let framesPerSecond: Double?
    /// Whether the clip has audio.
    public let hasAudio: Bool
  }

  /// The expected cover.
  public struct Cover: Decodable, Sendable {
    /// The width of the full-size cover, in pixels.
    public let width: Int
    /// The height of the full-size cover, in pixels.
    public let height: Int
    /// The colours 5 % inside the top left, top right, bottom left and bottom right corner, such as `ff0000`.
    public let corners: [String]?
    /// The index of the cover among the frames that ffmpeg decodes, or `nil` for the first.
    public let frame: Int?
    /// The options that ffmpeg needs in front of its input to make the right cover.
    public let reference: [String]?
  }

  /// The expected failure: a stage and a cause.
  public struct Failure: Decodable, Sendable {
    /// A `CoverFailure.Stage`.
    public let stage: String
    /// A `CoverFailure.Cause`.
    public let cause: String
  }

  /// The file name.
  public let file: String
  /// The purpose of the fixture.
  public let about: String
  /// The numbers of the rows in the comparison table that the fixture belongs to.
  public let rows: [Int]
  /// The expected facts, worked out by hand.
  public let facts: Facts?
  /// The expected cover, if the clip gives one.
  public let cover: Cover?
  /// The expected failure, if the clip gives no cover.
  public let failure: Failure?

  /// The path of the clip.
  public var path: FilePath { ProjectFolder.fixture(file) }

  /// The file name.
  public var description: String { file }
}
