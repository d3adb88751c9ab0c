internal import Covers
internal import Files
internal import SystemPackage

/// What the place of the cover tells before anything is decoded.
extension CoverMaking {
  /// The head of the cover that is there, if there is nothing to do.
  ///
  /// - Throws: ``CoverFailure`` when the place is not to be written to.
  func freshCover(of clip: ClipVersion) throws(CoverFailure) -> CoverHead? {
    guard case .file(let place) = order.destination else { return nil }
    guard !isDuplicate else { throw Self.duplicate(place.path, of: "another clip of this run") }
    let existing = ExistingCover(at: place, of: clip)
    let fresh = freshHead(of: existing, clip: clip)
    if let fresh, !order.isForced { return fresh }
    switch existing {
    case .none: return nil
    case .cover(let head):
      guard order.place?.mayMeet == true, fresh == nil, let other = head.otherClip(than: clip) else { return nil }
      throw Self.duplicate(place.path, of: other.displayText)
    case .foreign: try check(place.refusal(.foreign))
    case .refused(let refusal): try check(refusal)
    }
    return nil
  }

  /// Goes on where a refusal is overcome by force, or by a place where other programs' pictures are replaced too.
  private func check(_ refusal: OutputRefusal) throws(CoverFailure) {
    guard refusal.canBeForced, order.isForced || order.place?.isShared == true else { throw CoverFailure(refusal) }
  }

  /// Whether a fresh cover exists, as it may when a forced try has failed.
  var hasFreshCover: Bool {
    guard case .file(let place) = order.destination,
      let clip = try? ClipVersion(of: order.clip, followsLinks: order.followsLinks)
    else { return false }
    return freshHead(of: ExistingCover(at: place, of: clip), clip: clip) != nil
  }

  private func freshHead(of existing: ExistingCover, clip: ClipVersion) -> CoverHead? {
    switch existing {
    case .cover: existing.freshHead(for: clip, request: requestText)
    case .foreign(let head?) where order.place?.isShared == true: head.isThumbnail(of: clip) ? head : nil
    case .none, .foreign, .refused: nil
    }
  }

  /// Why the clip gave no cover in an earlier run, if nothing has changed since.
  func knownFailure(of clip: ClipVersion) -> CoverFailure? {
    guard let place = order.place, !order.isForced, !order.retriesFailures,
      let marker = FailureMarker(at: place.marker), marker.holds(for: clip, request: order.request)
    else { return nil }
    return marker.failure
  }

  private static func duplicate(_ path: FilePath, of clip: String) -> CoverFailure {
    CoverFailure(
      stage: .output,
      cause: .outputDuplicate,
      message: "\(clip) has its cover at \(path.displayText)",
      advice: "make them in two runs, into two folders"
    )
  }
}

extension CoverHead {
  /// The clip that the cover is a fresh one of, if that is another one than this.
  ///
  /// A clip that has been moved, or is seen by two paths, is no other.
  fileprivate func otherClip(than clip: ClipVersion) -> FilePath? {
    guard let path = self[.uri].flatMap({ FilePath(uri: $0) }),
      let other = try? ClipVersion(of: path, followsLinks: true), other.identity != clip.identity,
      self[.size] == "\(other.bytes)", self[.mtimeNanoseconds] == "\(other.mtimeNanoseconds)"
    else { return nil }
    return path
  }
}
