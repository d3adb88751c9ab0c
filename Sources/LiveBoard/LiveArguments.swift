internal import BoardText
internal import Files
internal import Glibc
internal import SystemPackage

/// The arguments of the program, which `clipcanvas live` gives it.
///
/// Read by hand: what a person writes is read by `clipcanvas`, which tells what is wrong with it.
struct LiveArguments {
  /// What covers are made of.
  enum Pictures: String, CaseIterable {
    case auto, symbols, sixel, kitty, none
  }

  /// Thrown for arguments that mean nothing; the text says why.
  struct WrongUsage: Error {
    let description: String
  }

  /// The file of the board.
  private(set) var board: FilePath = "board.json"
  private(set) var pictures = Pictures.auto
  /// Whether counters are shown.
  private(set) var showsCounters = false

  /// - Parameter arguments: As ``RawArguments`` carries them.
  init(_ arguments: some Sequence<String>) throws(WrongUsage) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--board":
        guard let file = rest.next(), !file.isEmpty else { throw WrongUsage(description: "--board takes a file") }
        board = FilePath(platformString: RawArguments.bytes(of: file).map { CChar(bitPattern: $0) } + [0])
      case "--pictures":
        guard let pictures = rest.next().flatMap(Pictures.init) else {
          throw WrongUsage(
            description: "--pictures takes one of \(Pictures.allCases.map(\.rawValue).joined(separator: ", "))"
          )
        }
        self.pictures = pictures
      case "--debug":
        showsCounters = true
      default:
        throw WrongUsage(description: "'\(argument)' means nothing here; run 'clipcanvas live --help' instead")
      }
    }
  }
}
