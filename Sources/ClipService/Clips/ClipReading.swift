package import Covers
internal import DecoderWire
package import Files
package import SystemPackage

/// An open clip whose pictures and facts another module of this package asks for, one after another.
///
/// The pictures do not contain the path of the clip.
package struct ClipReading: Sendable {
  private let pictures: ClipPictures
  private let file: OpenClip

  /// Opens a file.
  package init(opening path: FilePath) throws(CoverFailure) {
    try self.init(OpenClip(opening: path), name: path)
  }

  /// Takes over a descriptor that is open for reading, and closes it in the end.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor of a regular file.
  ///   - name: The name of the file. Its extension decides on the format of a raw stream.
  package init(opened descriptor: FileDescriptor, name: FilePath) throws(CoverFailure) {
    try self.init(OpenClip(opened: descriptor), name: name)
  }

  private init(_ file: OpenClip, name: FilePath) {
    pictures = ClipPictures(clip: FoundClip(opened: file, name: name), uri: nil)
    self.file = file
  }

  /// The failure of a clip that was written to since it was opened; `nil` if it was not.
  package var change: CoverFailure? { file.change }

  /// Makes a picture: a cover, a sheet of tiles or an animation.
  ///
  /// - Parameters:
  ///   - request: The request, without a style.
  ///   - decoder: The decoder, which no other task uses meanwhile.
  ///   - isOneOfSeveral: Whether the decoder keeps the clip open because further pictures of it may follow.
  /// - Returns: The sealed and checked file with its facts, or why it could not be made.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  package func picture(
    _ request: CoverRequest,
    with decoder: RestartingDecoder,
    isOneOfSeveral: Bool = false
  ) async throws(ServiceError) -> Result<(file: MemoryFile, facts: CoverFacts), CoverFailure> {
    let text = try CoverJob.text(of: request)
    return try await withAnotherDecoder(after: decoder) { () throws(ServiceError) in
      try await pictures.decode(request, text: text, of: file, with: decoder, isOneOfSeveral: isOneOfSeveral)
    }
    .map { ($0.picture, $0.facts) }
  }

  /// Reads the facts of the clip.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  package func facts(with decoder: RestartingDecoder) async throws(ServiceError) -> Result<ClipFacts, CoverFailure> {
    try await withAnotherDecoder(after: decoder) { () throws(ServiceError) in
      let rawFormat = RawFormat(ofFileAt: pictures.clip.path)
      switch try await decoder.perform(.probe(programme: nil), descriptors: [file.descriptor], rawFormat: rawFormat) {
      case .facts(let facts, _): return .success(facts)
      case .lacksVideo(let failure, _), .failure(let failure): return .failure(failure)
      case .cover, .tiles: return .failure(.unexpectedAnswer)
      }
    }
  }

  /// Does work, once more with another process if the first one broke down.
  private func withAnotherDecoder<Value>(
    after decoder: RestartingDecoder,
    _ work: () async throws(ServiceError) -> Result<Value, CoverFailure>
  ) async throws(ServiceError) -> Result<Value, CoverFailure> {
    let wasFresh = await decoder.isFresh
    let first = try await work()
    guard case .failure(let failure) = first, failure.isWorthAnotherDecoder(wasFresh: wasFresh), !Task.isCancelled
    else { return first }
    await decoder.stop()
    return try await work()
  }
}
