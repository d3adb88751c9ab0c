internal import Covers
internal import Files
internal import SystemPackage

/// Checks of the cover's place before anything is decoded.
extension CoverJob {
  /// Returns the head of the existing cover if it is fresh and nothing needs to be done.
  ///
  /// - Throws: ``CoverFailure`` if the place must not be written to.
  func freshCover(of clip: ClipVersion) throws(CoverFailure) -> CoverHead? {
    guard case .file(let place) = order.destination else { return nil }
    guard ownsPath else { throw duplicate(place.path, of: "another clip of this run") }
    let existing = ExistingCover(at: place, of: clip)
    let fresh = freshHead(of: existing, clip: clip)
    if let fresh, !order.isForced { return fresh }
    switch existing {
    case .none: return nil
    case .cover(let head):
      guard pathRule == .namedInCover, fresh == nil, let other = head.otherClip(than: clip) else { return nil }
      throw duplicate(place.path, of: other.displayText)
    case .foreign: try check(place.refusal(.foreign))
    case .refused(let refusal): try check(refusal)
    }
    return nil
  }

  /// Throws a refusal unless the order is forced or the place is shared with other programs, whose pictures are
  /// replaced.
  private func check(_ refusal: OutputRefusal) throws(CoverFailure) {
    guard refusal.canBeForced, order.isForced || order.place?.isShared == true else {
      throw CoverFailure(refusal, product: "\(order.request.kind.nounWithArticle) made by clipcanvas")
    }
  }

  private func duplicate(_ path: FilePath, of clip: String) -> CoverFailure {
    Self.duplicate(path, of: clip, noun: order.request.kind.noun)
  }

  /// Whether a fresh cover exists, which is possible after a forced attempt has failed.
  var hasFreshCover: Bool {
    guard case .file(let place) = order.destination,
      let clip = try? ClipVersion(of: order.clip.path, followsLinks: order.clip.followsLinks)
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

  /// Returns the failure of the clip in an earlier run, if nothing has changed since.
  func knownFailure(of clip: ClipVersion) -> CoverFailure? {
    guard let place = order.place, !order.isForced, !order.retriesFailures,
      let marker = FailureMarker(at: place.marker), marker.holds(for: clip, request: order.request)
    else { return nil }
    return marker.failure
  }

  static func duplicate(_ path: FilePath, of clip: String, noun: String) -> CoverFailure {
    CoverFailure(
      stage: .output,
      cause: .outputDuplicate,
      message: "the \(noun) of \(clip) is also written to \(path.displayText)",
      advice: "use two folders"
    )
  }
}

extension CoverHead {
  /// Returns the clip that this is a fresh cover of, if it is not the given clip.
  ///
  /// A clip that has been moved, or that is reachable by two paths, is not a different clip.
  func otherClip(than clip: ClipVersion) -> FilePath? {
    guard let path = self[.uri].flatMap({ FilePath(uri: $0) }),
      let other = try? ClipVersion(of: path, followsLinks: true), other.identity != clip.identity,
      self[.size] == "\(other.bytes)", self[.mtimeNanoseconds] == "\(other.mtimeNanoseconds)"
    else { return nil }
    return path
  }
}
