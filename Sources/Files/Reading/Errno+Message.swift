package import SystemPackage

extension Errno {
  /// The system's error message, in lower case like all messages of ClipCanvas.
  package var message: String { description.prefix(1).lowercased() + description.dropFirst() }

  /// Advice for the user if the system has run out of a resource; `nil` for other errors.
  package var shortageAdvice: String? {
    switch self {
    case .resourceTemporarilyUnavailable: "end some processes, or raise their limit (ulimit -u)"
    case .noMemory: "free some memory, or raise the limit on address space (ulimit -v)"
    case .tooManyOpenFiles: "raise the limit (ulimit -n)"
    default: nil
    }
  }
}
