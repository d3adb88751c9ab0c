import FoundationEssentials
import TestSupport
import Testing

/// The output of `clipcanvas similar --json`.
struct SimilarGroups {
  struct Group: Decodable {
    struct Member: Decodable {
      struct File: Decodable {
        let path: String
        let uri: String
      }

      let clip: File
      let content: Int
      let width, height: Int?
      let durationSeconds: Double?
      let codec: String?
      let hashes: [String?]?
    }

    let similarity: String
    let clips: [Member]

    var paths: [String] { clips.map(\.clip.path) }
  }

  let result: ProgramResult
  let groups: [Group]

  /// Runs the command.
  init(_ arguments: [String], in scratch: ScratchFolder, environment: [String: String] = [:]) async throws {
    result = try await Program.run(
      "clipcanvas",
      ["similar", "--json"] + arguments,
      in: scratch.path,
      environment: environment
    )
    groups = try result.text.split(separator: "\n").map { try JSONDecoder().decode(Group.self, from: Data($0.utf8)) }
  }

  /// The paths of the clips of each group.
  var paths: [[String]] { groups.map(\.paths) }
}
