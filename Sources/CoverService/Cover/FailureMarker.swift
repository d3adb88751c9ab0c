package import Covers
internal import DecoderWire
package import Files
internal import SystemPackage

/// The note that a clip gave no cover, so that a later run does not try again until something has changed.
///
/// A small JSON file where the cover would be, hidden: `.a.mp4.failed.json`.
package struct FailureMarker: Codable, Equatable {
  /// What its name ends in.
  static let ending = ".failed.json"
  private static let mostBytes = 64 * 1024

  /// Of the clip.
  let bytes: Int
  /// Of the clip, since 1970.
  let mtimeNanoseconds: Int
  /// What was asked.
  let request: CoverRequest
  /// Of clipcanvas: another version may know more.
  let version: String
  /// Why there is no cover.
  let failure: CoverFailure

  /// That of an outcome; `nil` where a later run may end otherwise though the clip is the same.
  package init?(_ outcome: CoverOutcome) {
    guard let failure = outcome.failure, failure.hangsOnClip, !outcome.isKnown, let bytes = outcome.clip.bytes,
      let mtimeNanoseconds = outcome.clip.mtimeNanoseconds
    else { return nil }
    self.bytes = bytes
    self.mtimeNanoseconds = mtimeNanoseconds
    self.failure = failure
    request = outcome.request
    version = ClipCanvasVersion.current
  }

  /// Reads the note at a place.
  ///
  /// Fails for everything that is not a note of ours; then the clip is tried again.
  package init?(at place: OutputPlace) {
    guard let file = try? place.openForReading() else { return nil }
    defer { try? file.close() }
    self.init(of: file)
  }

  private init?(of file: FileDescriptor) {
    guard let marker = try? CanonicalJSON.decode(Self.self, from: file.bytes(at: 0, count: Self.mostBytes)),
      marker.failure.isWithinBounds
    else { return nil }
    self = marker
  }

  /// Whether it is about this version of the clip and this request.
  package func holds(for clip: ClipVersion, request: CoverRequest) -> Bool {
    bytes == clip.bytes && mtimeNanoseconds == clip.mtimeNanoseconds && self.request == request
      && version == ClipCanvasVersion.current
  }

  /// Writes the note, where nothing else is in its place.
  ///
  /// Where it cannot be written, a later run tries the clip again, and nothing else is lost.
  package func leave(at place: CoverPlace) {
    let marker = place.marker
    guard marker.isFree({ Self(of: $0) != nil }),
      let text = try? CanonicalJSON.line(self),
      let file = try? ReplacementFile(
        for: marker,
        permissions: place.permissions,
        creatingFolders: place.folderPermissions
      ),
      (try? file.descriptor.writeAll(text + [UInt8(ascii: "\n")])) != nil
    else { return }
    try? file.commit()
  }

  /// Removes the note, if there is one; a file that is not a note of ours stays.
  package static func remove(at place: CoverPlace) {
    place.marker.remove { Self(of: $0) != nil }
  }
}

extension CoverFailure {
  /// Whether the same clip would fail again: the cause lies in it, not in the place of the cover or the rights to a file.
  fileprivate var hangsOnClip: Bool {
    stage != .input && stage != .output && cause != .outputFailed && cause != .misuse
  }
}
