import Covers
import FoundationEssentials
import SystemPackage
import TestSupport

/// The fields of a clip's record in `clipcanvas cover --json` that the tests use.
struct CoverRecord: Decodable {
  struct Clip: Decodable {
    let path: String
    let uri: String
    let bytes: Int?
    let mtimeNanoseconds: Int?
  }

  let status: String
  let reason: String?
  let stage: String?
  let message: String?
  let clip: Clip
  let cover: String?
  let width: Int?
  let height: Int?
  let alpha: Bool?
  let rotation: Int?
  let mirrored: Bool?
  let interlaced: Bool?
  let captureDate: String?
  let actualTime: Double?
  let storedWidth: Int?
  let storedHeight: Int?
  let toneMapped: Bool?
  let dolbyVisionProfile: Int?
  let assumedMatrix: String?
  let meanLuma: Double?
  let lumaVariance: Double?
  let perceptualHash: String?
  let warnings: [String]?
  let known: Bool?
  let attempts: Int?
  let milliseconds: [String: Double]?
  let requestedSize: String?
  let requestedFill: String?
  let requestedTime: String?
  let score: FrameScore?

  /// Returns the records of a run, which prints one per line.
  static func all(in result: ProgramResult) throws -> [CoverRecord] {
    try result.text.split(separator: "\n").map { try JSONDecoder().decode(CoverRecord.self, from: Data($0.utf8)) }
  }
}

/// Helpers that run `clipcanvas cover`.
enum CoverRun {
  /// Makes one cover and returns its record, with standard error for the test's comments.
  static func record(
    of clip: FilePath,
    to output: FilePath,
    _ options: [String] = []
  ) async throws -> (record: CoverRecord, errorOutput: String) {
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "--json"] + options + ["-o", output.string, clip.string]
    )
    guard let record = try CoverRecord.all(in: result).first else {
      throw NoRecord(description: "\(clip): \(result.errorOutput)")
    }
    return (record, result.errorOutput)
  }

  struct NoRecord: Error, CustomStringConvertible {
    let description: String
  }
}
