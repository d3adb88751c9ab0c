package import Covers
package import Files
package import SystemPackage

/// A clip that is compared with others.
package struct ComparedClip: Sendable {
  /// The path of the file.
  package let path: FilePath
  /// The description of the file for a record.
  package let file: PictureOutcome.Clip
  /// The identity of the file, if it was examined.
  package var identity: FileIdentity?
  /// What is compared.
  package var look = ClipLook.unknown
  /// The display size, if it is known.
  package var size: PixelSize?
  /// The duration, if it is known.
  package var durationSeconds: Double?
  /// FFmpeg's name of the codec, if it is known.
  package var codec: String?

  /// Creates a clip that has not been examined; only its file is known.
  package init(path: FilePath, file: PictureOutcome.Clip) { (self.path, self.file) = (path, file) }
}
