internal import Covers
internal import DecoderWire
internal import Files
internal import SystemPackage

/// The making of pictures of one clip, up to the sealed and checked file in memory.
struct ClipPictures {
  let clip: FoundClip
  /// The URI of the clip; `nil` if it has no path.
  let uri: String?
  /// The program that draws contact sheets, if there are any to make.
  var artist: SheetArtist?
  /// A second decoder, which decodes half of the tiles of each sheet; `nil` if one decodes all.
  var helper: RestartingDecoder?

  /// Returns the description of the clip for an outcome.
  ///
  /// - Parameter version: The version of the clip; `nil` if it could not be opened.
  func description(of version: ClipVersion?) -> PictureOutcome.Clip {
    .init(
      path: clip.path.displayText,
      uri: uri,
      bytes: version?.bytes,
      mtimeNanoseconds: version?.mtimeNanoseconds
    )
  }

  /// Whether a picture names the path of this clip.
  func isOwn(_ head: CoverHead) -> Bool { head[.uri] == uri }

  /// Returns the clip that a picture is of, if that is another one and still exists.
  func otherClip(of head: CoverHead, at place: OutputPlace, than version: ClipVersion) -> FilePath? {
    isOwn(head) ? nil : head.otherClip(than: version, at: clip.path, sharing: place)
  }

  /// Opens the clip.
  ///
  /// - Parameter takesEmbeddedVideo: Whether the video in a motion photo is taken instead of the photo.
  /// - Throws: ``CoverFailure`` also if the file is a cover, or a picture that was neither named by the user nor has a
  ///   clip's file extension.
  func open(takesEmbeddedVideo: Bool = false) throws(CoverFailure) -> OpenClip {
    let file = try clip.open()
    if takesEmbeddedVideo, let video = try file.embeddedVideo() { return video }
    let start = file.descriptor.bytes(at: 0, count: PictureSignature.maximumBytes)
    let isPicture = PictureSignature.isPicture(start)
    guard isPicture || PictureSignature.isGIF(start) else { return file }
    if let head = CoverHead(of: file.descriptor), head.isCover {
      let noun = head.kind.nounWithArticle
      throw CoverFailure(stage: .input, cause: .isCover, message: "already \(noun) made by clipcanvas")
    }
    guard clip.isCertain || !isPicture else {
      throw CoverFailure(stage: .input, cause: .isPicture, message: "is a picture, not a clip")
    }
    return file
  }

  /// Decodes a cover, a sheet or an animation, or makes a contact sheet, into a memory file, seals
  /// the file and checks it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - text: The request as stored in the picture.
  ///   - file: The clip.
  ///   - decoder: The decoder to use.
  ///   - isOneOfSeveral: Whether further covers of the clip may follow.
  /// - Throws: ``ServiceError`` if no decoder can be started, or if no contact sheet can be drawn.
  func decode(
    _ request: CoverRequest,
    text: String,
    of file: OpenClip,
    with decoder: RestartingDecoder,
    isOneOfSeveral: Bool = false
  ) async throws(ServiceError) -> Result<DecodedCover, CoverFailure> {
    let texts = texts(for: file.version, request: text)
    if let style = request.style {
      return try await decodeSheet(style, for: request, texts: texts, of: file, with: decoder)
    }
    switch try await decodeSharedTiles(for: request, of: file, with: decoder) {
    case .success(let tiles?):
      return try await compress(
        tiles.pixels,
        tiles.facts,
        tiles.clip,
        for: request,
        texts: texts,
        of: file,
        with: decoder
      )
    case .success(nil): break
    case .failure(let failure): return .failure(failure)
    }
    let picture: MemoryFile
    do throws(CoverFailure) {
      picture = try MemoryFile.make(for: request, texts: texts)
    } catch {
      return .failure(error)
    }
    let descriptors = [file.descriptor, picture.descriptor]
    let rawFormat = RawFormat(ofFileAt: clip.path)
    let work = DecoderRequest.Work.cover(request, texts: texts)
    let clip = isOneOfSeveral ? file.version : nil
    switch try await decoder.perform(work, descriptors: descriptors, rawFormat: rawFormat, keepingOpen: clip) {
    case .cover(let facts, let bytes):
      // This check precedes the decoder's next clip, because a decoder that wrote an invalid picture is replaced.
      do throws(CoverFailure) {
        try facts.check(for: request, texts: texts).seal(picture, bytes: bytes)
      } catch {
        await decoder.stop()
        return .failure(error)
      }
      return .success(DecodedCover(clip: file.version, facts: facts, picture: picture))
    case .failure(var failure):
      if !request.takesEmbeddedVideo, EmbeddedVideo(in: file) != nil {
        failure.advice = "use the video in it with --embedded-video"
      }
      return .failure(failure.stage == .encode ? failure.aboutMemory : failure)
    case .tiles, .facts, .lacksVideo: return .failure(.unexpectedAnswer)
    }
  }

  private func texts(for version: ClipVersion, request: String) -> [CoverText] {
    guard let uri else { return [CoverText(.size, "\(version.bytes)"), CoverText(.request, request)] }
    return [
      CoverText(.uri, uri),
      CoverText(.mtime, "\(version.mtimeSeconds)"),
      CoverText(.size, "\(version.bytes)"),
      CoverText(.mtimeNanoseconds, "\(version.mtimeNanoseconds)"),
      CoverText(.request, request),
    ]
  }
}
