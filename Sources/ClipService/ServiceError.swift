/// The reason why no clip can be processed at all, as opposed to the failure of one clip.
package struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A message for people: what failed, why, and what to do.
  package let description: String
  /// The message for a program that uses the library and has no options.
  package let messageForPrograms: String

  /// - Parameters:
  ///   - description: The message.
  ///   - messageForPrograms: The message for a program that has no options; `nil` if the message names none.
  package init(_ description: String, forPrograms messageForPrograms: String? = nil) {
    (self.description, self.messageForPrograms) = (description, messageForPrograms ?? description)
  }
}
