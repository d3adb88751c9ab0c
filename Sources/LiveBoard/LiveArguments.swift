internal import BoardText
internal import Files
internal import Glibc
internal import SystemPackage

/// The arguments that `clipcanvas live` passes to the program.
///
/// They are parsed by hand: `clipcanvas` has already parsed the user's arguments and reported any errors.
struct LiveArguments {
  /// The way covers are drawn.
  enum Pictures: String, CaseIterable {
    case auto, symbols, sixel, kitty, none
  }

  /// An error for invalid arguments.
  struct WrongUsage: Error {
    let description: String
  }

  /// The path of the board's file.
  private(set) var board: FilePath = "board.json"
  private(set) var pictures = Pictures.auto
  /// Whether to show counters.
  private(set) var showsCounters = false

  /// - Parameter arguments: The arguments, encoded by ``RawArguments``.
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
