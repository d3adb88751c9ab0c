package import Covers
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
    let text = try request.text()
    return try await decoder.retrying { () throws(ServiceError) in
      try await pictures.decode(request, text: text, of: file, with: decoder, isOneOfSeveral: isOneOfSeveral)
    }
    .map { ($0.picture, $0.facts) }
  }

  /// Reads the facts of the clip.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  package func facts(with decoder: RestartingDecoder) async throws(ServiceError) -> Result<ClipFacts, CoverFailure> {
    let rawFormat = RawFormat(ofFileAt: pictures.clip.path)
    return try await decoder.retrying { () throws(ServiceError) in
      try await decoder.probe(file.descriptor, programme: nil, rawFormat: rawFormat).map(\.facts).mapError(\.failure)
    }
  }
}
