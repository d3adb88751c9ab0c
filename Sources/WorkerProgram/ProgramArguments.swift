internal import Covers

/// The arguments of a sandboxed program, passed by its parent process or by a person who wants to test the sandbox.
///
/// They are parsed by hand, because an argument parser would be another library in the process that reads hostile
/// clips.
struct ProgramArguments {
  /// An error in the arguments, with a description.
  struct WrongUsage: Error {
    let description: String
  }

  /// The largest limit on the address space: a TiB.
  private static let maximumAddressSpace = 1 << 20

  /// How strictly to sandbox the process.
  var mode = SandboxMode.auto
  /// The limit on the address space in MiB; `nil` for the usual one of the program.
  var addressSpace: Int?
  /// Whether to test that forbidden operations are denied, instead of serving.
  var isSelfTest = false
  /// The parts of the sandbox that a self-test leaves out.
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
      case "--address-space":
        guard let size = rest.next().flatMap(Int.init), (1...Self.maximumAddressSpace).contains(size) else {
          throw WrongUsage(description: "--address-space takes a number of MiB")
        }
        addressSpace = size
      case "--without":
        let parts = ProcessSandbox.parts(of: .require)
        guard let part = rest.next(), parts.contains(part) else {
          throw WrongUsage(description: "--without takes \(Self.list(parts.sorted()))")
        }
        leftOut.insert(part)
      default:
        throw WrongUsage(description: "unknown argument '\(argument)'; run clipcanvas instead")
      }
    }
    guard leftOut.isEmpty || isSelfTest else { throw WrongUsage(description: "--without requires --self-test") }
  }

  /// The parts of the sandbox to apply.
  var parts: Set<String> { ProcessSandbox.parts(of: mode).subtracting(leftOut) }

  private static func list(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + (words.last.map { " or \($0)" } ?? "")
  }
}
