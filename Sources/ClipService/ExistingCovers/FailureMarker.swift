package import Covers
internal import DecoderWire
package import Files
internal import SystemPackage

/// A marker that no cover could be made of a clip, so that later runs do not retry until something has changed.
///
/// The marker is a small hidden JSON file in the folder of the cover: `.a.mp4.failed.json`.
package struct FailureMarker: Codable, Equatable {
  /// The suffix of the file name.
  static let ending = ".failed.json"
  private static let maximumBytes = 64 * 1024

  /// The size of the clip.
  let bytes: Int
  /// The modification time of the clip, in nanoseconds since 1970.
  let mtimeNanoseconds: Int
  /// The request.
  let request: CoverRequest
  /// The version of clipcanvas; another version may support the clip.
  let version: String
  /// The reason why the clip has no cover.
  let failure: CoverFailure

  /// Creates a marker for an outcome; returns `nil` if a later run may end differently although the clip is unchanged.
  package init?(_ outcome: PictureOutcome) {
    guard let failure = outcome.failure, failure.hangsOnClip, !outcome.isKnown, let bytes = outcome.clip.bytes,
      let mtimeNanoseconds = outcome.clip.mtimeNanoseconds
    else { return nil }
    self.bytes = bytes
    self.mtimeNanoseconds = mtimeNanoseconds
    self.failure = failure
    request = outcome.request
    version = ClipCanvasVersion.current
  }

  /// Reads the marker at a place.
  ///
  /// Fails if the file is not a failure marker; the clip is then tried again.
  package init?(at place: OutputPlace) {
    guard let file = try? place.openForReading() else { return nil }
    defer { try? file.close() }
    self.init(of: file)
  }

  /// Reads an open file.
  init?(of file: FileDescriptor) {
    guard let marker = try? CanonicalJSON.decode(Self.self, from: file.bytes(at: 0, count: Self.maximumBytes)),
      marker.failure.isWithinBounds
    else { return nil }
    self = marker
  }

  /// Whether the marker applies to this version of the clip and this request.
  package func holds(for clip: ClipVersion, request: CoverRequest) -> Bool {
    bytes == clip.bytes && mtimeNanoseconds == clip.mtimeNanoseconds && self.request == request
      && version == ClipCanvasVersion.current
  }

  /// Writes the marker, unless another file is in its place.
  ///
  /// If it cannot be written, the only consequence is that a later run tries the clip again.
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

  /// Removes the marker if it exists; a file that is not a failure marker stays.
  package static func remove(at place: CoverPlace) {
    place.marker.remove { Self(of: $0) != nil }
  }
}

extension CoverFailure {
  /// Whether the same clip would fail again, because the cause lies in the clip rather than in the destination or in
  /// permissions.
  fileprivate var hangsOnClip: Bool {
    stage != .input && stage != .output && cause != .outputFailed && cause != .misuse
  }

  /// Whether the same clip may have a picture later: there may be room on the disk, or another file be gone.
  var mayPass: Bool {
    !hangsOnClip && ![.missing, .isFolder, .notRegular, .empty, .isCover, .isPicture].contains(cause)
  }
}
