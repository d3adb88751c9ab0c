internal import Covers

/// The arguments of the program, which its parent gives it, or a person who wants to see its lock-in.
///
/// Read by hand: an argument parser would be a library more in the process that meets hostile clips.
struct DecoderArguments {
  /// Thrown for arguments that mean nothing; the text says why.
  struct WrongUsage: Error {
    let description: String
  }

  /// How to lock itself in.
  var mode = SandboxMode.auto
  /// Whether to try what must be denied instead of serving.
  var isSelfTest = false
  /// Parts that a self-test leaves out.
  var leftOut: Set<String> = []

  init(_ arguments: some Sequence<String>) throws(WrongUsage) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--self-test":
        isSelfTest = true
      case "--sandbox":
        guard let mode = rest.next().flatMap(SandboxMode.init) else {
          throw WrongUsage(description: "--sandbox takes \(Self.list(SandboxMode.allCases.map(\.rawValue)))")
        }
        self.mode = mode
      case "--without":
        let parts = LockIn.parts(of: .require)
        guard let part = rest.next(), parts.contains(part) else {
          throw WrongUsage(description: "--without takes \(Self.list(parts.sorted()))")
        }
        leftOut.insert(part)
      default:
        throw WrongUsage(description: "'\(argument)' means nothing here; run clipcanvas instead")
      }
    }
    guard leftOut.isEmpty || isSelfTest else { throw WrongUsage(description: "--without goes with --self-test only") }
  }

  /// The parts of the lock-in to put on.
  var parts: Set<String> { LockIn.parts(of: mode).subtracting(leftOut) }

  private static func list(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + (words.last.map { " or \($0)" } ?? "")
  }
}
