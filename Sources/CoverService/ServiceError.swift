/// Why no work on clips is possible at all, as opposed to one clip's failure.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// For a person: what, why and what to do.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
