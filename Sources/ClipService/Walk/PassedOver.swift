/// The number of files, folders and links that a search for clips did not examine.
package struct PassedOver: Sendable, Equatable {
  /// The symbolic links that were not followed.
  package var links = 0
  /// The files and folders that are skipped by default.
  package var defaultExclusions = 0
  /// The files whose extension is neither that of a clip nor that of a picture.
  package var otherFiles = 0

  static func + (a: Self, b: Self) -> Self {
    .init(
      links: a.links + b.links,
      defaultExclusions: a.defaultExclusions + b.defaultExclusions,
      otherFiles: a.otherFiles + b.otherFiles
    )
  }
}
