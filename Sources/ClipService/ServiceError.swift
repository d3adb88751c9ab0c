/// The reason why no clip can be processed at all, as opposed to the failure of one clip.
package struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A message for people: what failed, why, and what to do.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
