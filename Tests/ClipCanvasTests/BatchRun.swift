import FoundationEssentials
import SystemPackage
import TestSupport

/// Runs `clipcanvas batch --json` and holds what it told.
struct BatchRun {
  /// The last object of a run.
  struct Summary: Decodable, Equatable {
    let covers: Int
    let degraded: Int
    let fresh: Int
    let incomplete: Int
    let failed: Int
    let known: Int
    let notClips: Int
    let passedLinks: Int
    let decoders: Int
    let interrupted: Bool
  }

  let result: ProgramResult
  let records: [CoverRecord]
  /// `nil` where the run did not come to its end.
  let summary: Summary?

  var status: Int { result.exitStatus }

  /// What the records tell that another run over the same clips must tell too, whatever the order.
  var essence: [String] { records.map(\.essence).sorted() }

  /// Takes a run apart whose standard output is JSON.
  init(of result: ProgramResult) throws {
    struct Last: Decodable {
      let summary: Summary
    }
    self.result = result
    var lines = result.text.split(separator: "\n")
    summary = lines.last.flatMap { try? JSONDecoder().decode(Last.self, from: Data($0.utf8)) }?.summary
    if summary != nil { lines.removeLast() }
    records = try lines.map { try JSONDecoder().decode(CoverRecord.self, from: Data($0.utf8)) }
  }

  /// Runs a batch to its end.
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

  /// The record of a clip, by the end of its path.
  subscript(clip: String) -> CoverRecord? {
    let found = records.filter { $0.clip.path == clip || $0.clip.path.hasSuffix("/" + clip) }
    return found.count == 1 ? found.first : nil
  }
}

extension CoverRecord {
  /// The parts that hang on nothing but the clip and the request.
  var essence: String { "\(clip.path) \(status) \(stage ?? "-") \(reason ?? "-") \(width ?? 0)x\(height ?? 0)" }
}
