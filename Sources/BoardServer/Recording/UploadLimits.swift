internal import BoardStore

/// The bounds on what pages may upload.
enum UploadLimits {
  /// The longest recording, in seconds.
  static let takeSeconds = 3600
  /// The size of a recording, in bytes.
  static let takeBytes = 8 << 30
  /// The size of a clip's file, in bytes.
  static let fileBytes = 64 << 30
  /// The number of clips that are uploaded at once.
  static let uploads = 32
  /// What must remain free on the disk, in bytes: the board needs room too.
  static let roomLeft = 64 << 20
  /// The size of a request that is not part of an upload, in bytes.
  static let requestBytes = 1 << 20

  /// The bounds that pages need to know.
  static let json = JSON.object([
    "takeSeconds": JSON(takeSeconds), "takeBytes": JSON(takeBytes), "fileBytes": JSON(fileBytes),
  ])
}
