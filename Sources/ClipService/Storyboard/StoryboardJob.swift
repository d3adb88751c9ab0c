internal import Covers
internal import Files
internal import SystemPackage

/// The making of one storyboard: its sheets are decoded one after another and written to a new folder, which takes the
/// place of an older one when it is complete.
struct StoryboardJob: PictureJob {
  let order: StoryboardOrder
  /// The request for the first sheet as stored in it.
  let requestText: String
  var pictures: ClipPictures
  var owner: FilePath?

  /// - Parameters:
  ///   - order: The order.
  ///   - text: The request for the first sheet as stored in it.
  ///   - folder: The folder that relative paths are resolved against.
  init(_ order: StoryboardOrder, text: String, in folder: FilePath) {
    (self.order, requestText) = (order, text)
    pictures = ClipPictures(clip: order.clip, uri: order.clip.uri(in: folder))
  }

  var path: FilePath? { usualPlace.output.path }

  func path(of outcome: PictureOutcome) -> FilePath? {
    outcome.storyboard.map { StoryboardPlace(of: order, tileWidth: $0.tileWidth).output.path }
  }

  private var usualPlace: StoryboardPlace { StoryboardPlace(of: order, tileWidth: order.request.picture.size.width) }

  func outcome(
    with decoder: RestartingDecoder,
    onSheet: SheetReport
  ) async throws(ServiceError) -> PictureOutcome {
    let clip: OpenClip
    do throws(CoverFailure) {
      let version = try ownedVersion()
      if !order.isForced, let fresh = freshOutcome(for: version) { return fresh }
      clip = try pictures.open(takesEmbeddedVideo: order.request.picture.takesEmbeddedVideo)
    } catch {
      return failed(error)
    }
    do throws(StoryboardError) {
      return try await makeSheets(of: clip, with: decoder, onSheet: onSheet)
    } catch {
      switch error {
      case .failure(let failure): return failed(failure, clip: clip.version)
      case .service(let error): throw error
      }
    }
  }

  func freshness() throws(CoverFailure) -> Freshness {
    let version = try ownedVersion()
    let fresh = freshOutcome(for: version)
    if let fresh, !order.isForced { return .ended(fresh) }
    let place = usualPlace
    if let failure = refusal(of: place, for: version) { return .ended(failed(failure, clip: version)) }
    return .due(
      PlannedPicture(
        clip: pictures.description(of: version),
        kind: .storyboard,
        path: place.output.path.displayText,
        reason: fresh != nil ? .forced : reasonToReplace(place, clip: version)
      )
    )
  }

  private func reasonToReplace(_ place: StoryboardPlace, clip: ClipVersion) -> PlannedPicture.Reason {
    guard case .storyboard(let count) = place.occupant() else { return .missing }
    guard count > 0 else { return .damaged }
    let reason = ExistingCover(at: place.sheet(0), of: clip).reasonToReplace(for: clip, request: requestText)
    // The first sheet is as it should be, but another file is not.
    return reason == .forced ? .damaged : reason
  }

  // MARK: - Sheets

  private func makeSheets(
    of clip: OpenClip,
    with decoder: RestartingDecoder,
    onSheet: SheetReport
  ) async throws(StoryboardError) -> PictureOutcome {
    let outlook = try await outlook(for: clip, with: decoder)
    var next = try await decodeNext(after: nil, outlook, of: clip, with: decoder)
    let first = try next.removeFirst().decoded()
    let place = StoryboardPlace(of: order, tileWidth: first.facts.tiles?.width ?? 0)
    if let failure = refusal(of: place, for: clip.version) { throw .failure(failure) }
    let new = try makeFolder(at: place)
    var sheets = StoryboardSheets(plan: order.request.plan, first: first.facts)
    try write(first, number: 0, to: new)
    // A sheet that was decoded beside the first one has tiles of the size that was expected.
    if sheets.tileSize != outlook?.tileSize { next = [] }
    while sheets.mayContinue {
      onSheet(sheets.count, sheets.expectedCount)
      do throws(StoryboardError) {
        if next.isEmpty { next = try await decodeNext(after: sheets, outlook, of: clip, with: decoder) }
        let sheet = try next.removeFirst().decoded()
        try write(sheet, number: sheets.count, to: new)
        sheets.add(sheet.facts)
      } catch {
        guard case .failure(let failure) = error, sheets.ends(with: failure) else { throw error }
        break
      }
    }
    if order.request.layout == .webvtt { try write(sheets.list, to: new) }
    try commit(new)
    return outcome(sheets.isDegraded ? .degraded : .storyboard, at: place, clip.version, sheets.content)
  }

  /// Returns what follows for the sheets from the clip's facts, if two decoders share the work.
  private func outlook(
    for clip: OpenClip,
    with decoder: RestartingDecoder
  ) async throws(StoryboardError) -> StoryboardOutlook? {
    guard let helper = pictures.helper else { return nil }
    // Its process starts meanwhile; if it cannot, it is not needed.
    async let greeting = try? helper.hello()
    do throws(ServiceError) {
      let facts = try await pictures.facts(of: clip, programme: order.request.picture.programme, with: decoder)
      _ = await greeting
      return facts.flatMap { StoryboardOutlook(of: $0, for: order.request) }
    } catch {
      throw .service(error)
    }
  }

  /// A sheet, or why it cannot be made.
  private typealias SheetResult = Result<DecodedCover, CoverFailure>

  /// Decodes the next sheet, or the next two with separate decoders, if the clip has so many.
  private func decodeNext(
    after sheets: StoryboardSheets?,
    _ outlook: StoryboardOutlook?,
    of clip: OpenClip,
    with decoder: RestartingDecoder
  ) async throws(StoryboardError) -> [SheetResult] {
    let (number, size) = (sheets?.count ?? 0, sheets?.tileSize)
    do throws(ServiceError) {
      guard let helper = pictures.helper, let outlook, number + 2 <= outlook.count else {
        return [try await decode(number, tileSize: size, isShared: sheets?.mayBeShared, of: clip, with: decoder)]
      }
      let secondSize = size ?? outlook.tileSize
      async let second = try? decode(number + 1, tileSize: secondSize, isShared: false, of: clip, with: helper)
      let first = try await decode(number, tileSize: size, isShared: false, of: clip, with: decoder)
      // If the helper cannot be started, it is not needed.
      return [first] + (await second.map { [$0] } ?? [])
    } catch {
      throw .service(error)
    }
  }

  /// Decodes a sheet.
  ///
  /// - Parameters:
  ///   - number: The number of the sheet.
  ///   - tileSize: The size of the tiles of the first sheet; `nil` for that sheet.
  ///   - isShared: Whether the helper decodes half of the tiles; `nil` if it may. The sheets of a clip of unknown length
  ///     cannot be shared.
  ///   - clip: The clip.
  ///   - decoder: The decoder to use.
  private func decode(
    _ number: Int,
    tileSize: PixelSize?,
    isShared: Bool?,
    of clip: OpenClip,
    with decoder: RestartingDecoder
  ) async throws(ServiceError) -> SheetResult {
    let request = order.request.picture(ofSheet: number, tileSize: tileSize)
    var pictures = pictures
    if isShared == false { pictures.helper = nil }
    return try await pictures.decode(request, text: request.text(), of: clip, with: decoder)
  }

  // MARK: - Files

  private func makeFolder(at place: StoryboardPlace) throws(StoryboardError) -> ReplacementFolder {
    ReplacementFolder.removeLeftovers(in: place.output.folder, isOurs: StoryboardPlace.isBeginning)
    do throws(FileReplacementError) {
      return try ReplacementFolder(
        for: place.output,
        creatingFolders: order.createsFolders || order.request.layout == .jellyfin
          ? CoverPlace.usualFolderPermissions : nil
      )
    } catch {
      throw .failure(CoverFailure(error))
    }
  }

  private func commit(_ folder: consuming ReplacementFolder) throws(StoryboardError) {
    do throws(FileReplacementError) {
      try folder.commit(removing: StoryboardPlace.isOwnName)
    } catch {
      throw .failure(CoverFailure(error))
    }
  }

  private func add(
    _ name: String,
    to folder: borrowing ReplacementFolder,
    writing body: (FileDescriptor) throws(Errno) -> Void
  ) throws(StoryboardError) {
    do throws(FileReplacementError) {
      try folder.addFile(named: name, writing: body)
    } catch {
      throw .failure(CoverFailure(error))
    }
  }

  private func write(
    _ sheet: DecodedCover,
    number: Int,
    to folder: borrowing ReplacementFolder
  ) throws(StoryboardError) {
    try add(StoryboardPlace.sheetName(number), to: folder) { file throws(Errno) in try sheet.picture.write(to: file) }
  }

  private func write(_ list: TileList, to folder: borrowing ReplacementFolder) throws(StoryboardError) {
    try add(StoryboardPlace.listName, to: folder) { file throws(Errno) in
      try file.writeEverything(list.text.utf8)
    }
  }

  /// Returns why the folder must not be created or replaced; `nil` if it may be.
  private func refusal(of place: StoryboardPlace, for clip: ClipVersion) -> CoverFailure? {
    switch place.occupant() {
    case .nothing: return nil
    case .refused(let refusal):
      return CoverFailure(refusal, product: "a storyboard made by clipcanvas", optionTakes: .folder)
    case .foreignFolder:
      return CoverFailure(
        stage: .output,
        cause: .outputExists,
        message: "\(place.output.path.displayText) is a folder with files that clipcanvas did not make",
        advice: "move it away, or name another folder with -o"
      )
    case .storyboard:
      let head = order.isForced ? nil : place.head(ofSheet: 0)
      return head.flatMap { pictures.otherClip(of: $0, at: order.targetPlace, than: clip) }
        .map { .owned(place.output.path, by: $0, kind: .storyboard) }
    }
  }

  /// Returns the version of the clip.
  ///
  /// - Throws: `CoverFailure` also if the place belongs to another clip of the run.
  private func ownedVersion() throws(CoverFailure) -> ClipVersion {
    let version = try order.clip.version()
    if let owner, FileIdentity(of: owner) != version.identity {
      throw .owned(usualPlace.output.path, by: owner, kind: .storyboard)
    }
    return version
  }

  // MARK: - Outcomes

  /// Returns the outcome if a storyboard of this version of the clip exists and nothing needs to be done.
  private func freshOutcome(for clip: ClipVersion) -> PictureOutcome? {
    for place in StoryboardPlace.candidates(for: order) {
      guard case .storyboard(let count) = place.occupant(), count > 0,
        let head = place.freshHead(ofSheet: 0, clip: clip, request: requestText), let first = head.facts,
        // Another clip may have the same size and modification time.
        pictures.otherClip(of: head, at: order.targetPlace, than: clip) == nil
      else { continue }
      let others = (1..<count).compactMap { place.head(ofSheet: $0)?.facts }
      guard others.count == count - 1 else { continue }
      var sheets = StoryboardSheets(plan: order.request.plan, first: first)
      for facts in others { sheets.add(facts) }
      guard order.request.layout == .jellyfin || place.holds(sheets.list) else { continue }
      var outcome = outcome(sheets.isDegraded ? .degraded : .fresh, at: place, clip, sheets.content)
      outcome.isFresh = true
      outcome.namesAnotherPath = !pictures.isOwn(head)
      return outcome
    }
    return nil
  }

  private func outcome(
    _ status: PictureOutcome.Status,
    at place: StoryboardPlace?,
    _ clip: ClipVersion?,
    _ storyboard: PictureOutcome.Storyboard?,
    failure: CoverFailure? = nil
  ) -> PictureOutcome {
    var outcome = PictureOutcome(
      status: status,
      kind: .storyboard,
      clip: pictures.description(of: clip),
      path: place?.output.path.displayText,
      request: order.request.picture,
      failure: failure
    )
    outcome.storyboard = storyboard
    return outcome
  }

  func failed(_ failure: CoverFailure, clip: ClipVersion? = nil) -> PictureOutcome {
    outcome(failure.isIncomplete ? .incomplete : .failed, at: nil, clip, nil, failure: failure)
  }
}

/// A failure of the clip, or of the decoder as such.
private enum StoryboardError: Error {
  case failure(CoverFailure)
  case service(ServiceError)
}

extension Result<DecodedCover, CoverFailure> {
  /// Returns the sheet.
  fileprivate func decoded() throws(StoryboardError) -> DecodedCover {
    switch self {
    case .success(let sheet): return sheet
    case .failure(let failure): throw .failure(failure)
    }
  }
}
