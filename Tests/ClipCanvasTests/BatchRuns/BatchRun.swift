import FoundationEssentials
import SystemPackage
import TestSupport

/// A run of `clipcanvas batch --json` and its output.
struct BatchRun {
  /// The last object of the output.
  struct Summary: Decodable, Equatable {
    let covers: Int
    let degraded: Int
    let freshDegraded: Int
    let fresh: Int
    let incomplete: Int
    let failed: Int
    let known: Int
    let notClips: Int
    let passedLinks: Int
    let defaultExclusions: Int
    let otherFiles: Int
    let decoders: Int
    let interrupted: Bool
  }

  let result: ProgramResult
  let records: [CoverRecord]
  /// The summary, or `nil` if the run ended early.
  let summary: Summary?

  var status: Int { result.exitStatus }

  /// The parts of the records that every run over the same clips must report, sorted.
  var essence: [String] { records.map(\.essence).sorted() }

  /// Parses the output of a finished run.
  init(of result: ProgramResult) throws {
    struct Last: Decodable {
      let summary: Summary
    }
    self.result = result
    var lines = result.text.split(separator: "\n")
    summary = lines.last.flatMap { try? JSONDecoder().decode(Last.self, from: Data($0.utf8)) }?.summary
    if summary != nil { lines.removeLast() }
    // What was removed has no clip.
    lines.removeAll { $0.contains(#""status":"removed""#) }
    records = try lines.map { try JSONDecoder().decode(CoverRecord.self, from: Data($0.utf8)) }
  }

  /// Runs a batch and waits for its end.
  init(_ arguments: [String], in folder: FilePath, environment: [String: String] = [:]) async throws {
    self = try BatchRun(
      of: try await Program.run(
        "clipcanvas",
        ["batch", "--json"] + arguments,
        in: folder,
        environment: environment
      )
    )
  }

  /// The only record whose clip's path ends with the given path.
  subscript(clip: String) -> CoverRecord? {
    let found = records.filter { $0.clip.path == clip || $0.clip.path.hasSuffix("/" + clip) }
    return found.count == 1 ? found.first : nil
  }
}

extension CoverRecord {
  /// The parts that depend only on the clip and the request.
  var essence: String { "\(clip.path) \(status) \(stage ?? "-") \(reason ?? "-") \(width ?? 0)x\(height ?? 0)" }
}
