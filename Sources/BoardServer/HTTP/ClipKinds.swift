internal import ClipService
internal import Covers
internal import SystemPackage

/// The types of clips according to a decoder, each asked for once.
actor ClipKinds {
  /// Returns the MIME type of the clip at a path, or why a decoder does not accept it.
  typealias Probe = @Sendable (FilePath) async -> Result<String, CoverFailure>

  private let probe: Probe
  private var known: [String: Task<Result<String, CoverFailure>, Never>] = [:]

  private static let maximumKnown = 10_000

  init(_ probe: @escaping Probe) {
    self.probe = probe
  }

  /// Returns the MIME type of a clip.
  ///
  /// - Parameters:
  ///   - path: The path of the clip.
  ///   - tag: What distinguishes the file and its content from others.
  /// - Throws: Why a decoder does not accept it. A decoder that broke down is asked again the next time.
  func type(of path: FilePath, _ tag: String) async throws(CoverFailure) -> String {
    if known.count >= Self.maximumKnown { known = [:] }
    let probe = probe
    let task = known[tag] ?? Task { await probe(path) }
    known[tag] = task
    let result = await task.value
    if case .failure(let failure) = result, failure.isBreakdown, known[tag] == task { known[tag] = nil }
    return try result.get()
  }
}
