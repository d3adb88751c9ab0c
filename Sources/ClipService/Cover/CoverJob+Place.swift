internal import Covers
internal import Files
internal import SystemPackage

/// Checks of the cover's place before anything is decoded.
extension CoverJob {
  /// Returns what exists at the cover's place.
  func existingCover(of clip: ClipVersion) -> ExistingCover {
    guard case .file(let place) = order.destination else { return .none }
    return ExistingCover(at: place, of: clip, sparing: namedClips)
  }

  /// Returns the head of the existing cover if it is fresh and nothing needs to be done.
  ///
  /// - Throws: ``CoverFailure`` if the place must not be written to.
  func freshCover(_ existing: ExistingCover, of clip: ClipVersion) throws(CoverFailure) -> CoverHead? {
    guard case .file(let place) = order.destination else { return nil }
    if let owner, FileIdentity(of: owner) != clip.identity { throw duplicate(place.path, of: owner.displayText) }
    let fresh = freshHead(of: existing, clip: clip)
    if let fresh, !order.isForced { return fresh }
    switch existing {
    case .none: return nil
    case .cover(let head):
      if fresh == nil { try checkOwner(of: head, at: place, for: clip) }
    case .foreign: try check(place.refusal(.foreign))
    case .refused(let refusal): try check(refusal)
    }
    return nil
  }

  /// Throws a refusal unless the order is forced or the place is shared with other programs, whose pictures are
  /// replaced.
  private func check(_ refusal: OutputRefusal) throws(CoverFailure) {
    guard refusal.canBeForced, order.isForced || order.place?.isShared == true else {
      throw CoverFailure(
        refusal,
        product: "\(order.request.kind.nounWithArticle) made by clipcanvas",
        // Only where files are named in folders that are created does `-o` always take a folder.
        optionTakes: order.createsFolders ? .folder : .fileOrStandardOutput
      )
    }
  }

  /// Throws if the existing cover is that of another clip and must not be replaced.
  private func checkOwner(of head: CoverHead, at place: OutputPlace, for clip: ClipVersion) throws(CoverFailure) {
    guard !place.isNamed, order.place?.isShared != true,
      let other = pictures.otherClip(of: head, at: place, than: clip)
    else { return }
    guard order.isForced else {
      throw .owned(place.path, by: other, kind: order.request.kind, advice: order.name.adviceIfShared)
    }
    guard case .namedInCover(let start) = pathRule, let status = try? FileStatus(of: place.path, followsLinks: false)
    else { return }
    if status.modificationTime >= start { throw duplicate(place.path, of: other.displayText) }
  }

  private func duplicate(_ path: FilePath, of clip: String) -> CoverFailure {
    CoverFailure(
      stage: .output,
      cause: .outputDuplicate,
      message: "the \(order.request.kind.noun) of \(clip) is also written to \(path.displayText)",
      advice: order.name.adviceIfShared ?? "use two folders"
    )
  }

  /// Whether a fresh cover exists, which is possible after a forced attempt has failed.
  var hasFreshCover: Bool {
    guard case .file(let place) = order.destination,
      let clip = try? order.clip.version()
    else { return false }
    return freshHead(of: ExistingCover(at: place, of: clip), clip: clip) != nil
  }

  private func freshHead(of existing: ExistingCover, clip: ClipVersion) -> CoverHead? {
    switch existing {
    // From standard input, another clip of the same size may have been read before.
    case .cover where order.clip.isFile:
      let resizable = order.keepsSize ? order.request : nil
      guard case .file(let place) = order.destination,
        let head = existing.freshHead(for: clip, request: requestText, inAnySizeOf: resizable)
      else { return nil }
      // Another clip may have the same size and modification time.
      return pictures.otherClip(of: head, at: place, than: clip) == nil ? head : nil
    case .foreign(let head?) where order.place?.isShared == true: return head.isThumbnail(of: clip) ? head : nil
    case .none, .cover, .foreign, .refused: return nil
    }
  }

  /// Returns the failure of the clip in an earlier run, if nothing has changed since.
  func knownFailure(of clip: ClipVersion) -> CoverFailure? {
    guard let place = order.place, !order.isForced, !order.retriesFailures,
      let marker = FailureMarker(at: place.marker), marker.holds(for: clip, request: order.request)
    else { return nil }
    return marker.failure
  }
}

extension CoverHead {
  /// Returns the clip that this is the picture of, if that is another clip, still exists, and has
  /// its pictures here, too.
  ///
  /// A clip that has been moved, or that can be reached by two paths, is not another clip. A picture beside its
  /// clip can only have come from a clip in the same folder: after a copy of the whole folder, it names the clip
  /// in the original one.
  ///
  /// - Parameters:
  ///   - clip: The version of the clip whose picture is to be written.
  ///   - path: The path of that clip.
  ///   - place: The place of the picture.
  func otherClip(than clip: ClipVersion, at path: FilePath, sharing place: OutputPlace) -> FilePath? {
    guard let owner = self[.uri].flatMap({ FilePath(uri: $0) }),
      let other = try? ClipVersion(of: owner, followsLinks: true), other.identity != clip.identity
    else { return nil }
    let folder = FileIdentity(of: place.folder)
    let isBesideClip = FileIdentity(of: OutputPlace(path, derivedComponents: 1).folder) == folder
    guard !isBesideClip || FileIdentity(of: owner.removingLastComponent()) == folder else { return nil }
    return owner
  }
}
