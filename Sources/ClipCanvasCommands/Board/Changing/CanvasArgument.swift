internal import ArgumentParser
internal import BoardStore
internal import CanvasModel
internal import Files

/// A canvas ID as a command-line argument.
struct CanvasArgument: ExpressibleByArgument {
  let id: CanvasID

  init?(argument: String) {
    guard let id = CanvasID(argument) else { return nil }
    self.id = id
  }

  /// The canvases of the board that the command line refers to.
  static var defaultCompletionKind: CompletionKind {
    .custom { words, _, typed in
      let named = words.firstIndex(of: "--board").map { words.index(after: $0) }.flatMap { index in
        index < words.endIndex ? PathArgument(argument: words[index]) : nil
      }
      return offers(from: BoardOptions.file(named: named), startingWith: typed)
    }
  }

  /// The maximum number of canvases that a shell is given to list.
  private static let maximumOffers = 1000

  /// The maximum size of a board that is read for this, in bytes: a larger one would block the shell.
  private static let maximumBytes = 2 << 20

  /// Returns the IDs that start with a text; none if the board is large or cannot be read, or if there are too many.
  ///
  /// Only valid IDs are returned, which mean nothing else to any shell.
  private static func offers(from file: BoardFile, startingWith typed: String) -> [String] {
    guard let status = try? FileStatus(of: file.path), status.bytes <= maximumBytes, let board = try? file.read().board
    else { return [] }
    // A word with quotation marks is compared by the shell.
    let prefix = CanvasID(typed)?.isValid == true ? typed : ""
    let ids = board.canvases.lazy.filter(\.id.isValid).map(\.id.description).filter { $0.hasPrefix(prefix) }
    let offers = Array(ids.prefix(maximumOffers + 1))
    return offers.count > maximumOffers ? [] : offers
  }
}
