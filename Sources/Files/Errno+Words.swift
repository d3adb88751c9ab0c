public import SystemPackage

extension Errno {
  /// The system's words, in lower case as all messages here.
  public var words: String { description.prefix(1).lowercased() + description.dropFirst() }
}
