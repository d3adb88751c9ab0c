public import SystemPackage

extension Errno {
  /// The system's words, in lower case as all messages here.
  public var words: String { description.prefix(1).lowercased() + description.dropFirst() }

  /// What to do when the system has run out of something; `nil` for other errors.
  package var shortageAdvice: String? {
    switch self {
    case .resourceTemporarilyUnavailable: "end some processes, or raise their limit (ulimit -u)"
    case .noMemory: "free some memory, or raise the limit on address space (ulimit -v)"
    case .tooManyOpenFiles: "raise the limit (ulimit -n)"
    default: nil
    }
  }
}
