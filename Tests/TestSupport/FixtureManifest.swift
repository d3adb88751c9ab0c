internal import FoundationEssentials
package import SystemPackage

/// `Fixtures/manifest.json`: the fixtures, the commands that made them and the facts worked out by hand.
package struct FixtureManifest: Decodable, Sendable {
  /// The fixtures, in the order of the file.
  package let fixtures: [Fixture]

  /// The manifest of this project.
  package static let shared: FixtureManifest = {
    do {
      let bytes = try ScratchFolder.read(ProjectFolder.fixture("manifest.json"))
      return try JSONDecoder().decode(FixtureManifest.self, from: Data(bytes))
    } catch {
      preconditionFailure("Fixtures/manifest.json cannot be read: \(error)")
    }
  }()

  /// The fixtures that give a cover.
  package static var withCover: [Fixture] { shared.fixtures.filter { $0.cover != nil } }

  /// The fixtures that do not give a cover.
  package static var withoutCover: [Fixture] { shared.fixtures.filter { $0.failure != nil } }
}

/// A clip in `Fixtures/`.
package struct Fixture: Decodable, Sendable, CustomStringConvertible {
  /// The facts that `clipcanvas probe` must report.
  package struct Facts: Decodable, Sendable {
    /// FFmpeg's name of the container.
    package let container: String
    /// FFmpeg's name of the codec.
    package let codec: String?
    /// The stored width, in pixels.
    package let storedWidth: Int
    /// The stored height, in pixels.
    package let storedHeight: Int
    /// The clockwise rotation that turns the picture upright, in degrees.
    package let rotation: Int
    /// Whether the picture is mirrored left to right before the rotation.
    package let mirrored: Bool
    /// The sample aspect ratio, such as `4:3`.
    package let sampleAspectRatio: String?
    /// FFmpeg's name of the pixel format.
    package let pixelFormat: String?
    /// The duration that the container states, in seconds.
    package let durationSeconds: Double?
    /// The average frame rate.
    package let framesPerSecond: Double?
    /// Whether the clip has audio.
    package let hasAudio: Bool
  }

  /// The expected cover.
  package struct Cover: Decodable, Sendable {
    /// The width of the full-size cover, in pixels.
    package let width: Int
    /// The height of the full-size cover, in pixels.
    package let height: Int
    /// The colours 5 % inside the top left, top right, bottom left and bottom right corner, such as `ff0000`.
    package let corners: [String]?
    /// The index of the cover among the frames that ffmpeg decodes, or `nil` for the first.
    package let frame: Int?
    /// The options that ffmpeg needs in front of its input to make the right cover.
    package let reference: [String]?
  }

  /// The expected failure: a stage and a cause.
  package struct Failure: Decodable, Sendable {
    /// A `CoverFailure.Stage`.
    package let stage: String
    /// A `CoverFailure.Cause`.
    package let cause: String
  }

  /// The file name.
  package let file: String
  /// The purpose of the fixture.
  package let about: String
  /// The numbers of the rows in the comparison table that the fixture belongs to.
  package let rows: [Int]
  /// The expected facts, worked out by hand.
  package let facts: Facts?
  /// The expected cover, if the clip gives one.
  package let cover: Cover?
  /// The expected failure, if the clip gives no cover.
  package let failure: Failure?

  /// The path of the clip.
  package var path: FilePath { ProjectFolder.fixture(file) }

  /// The file name.
  package var description: String { file }
}
