import ClipBoards
import Glibc

/// Prints each change of a board, whichever program makes it: `board-follower BOARD`.
@main
enum BoardFollower {
  static func main() async throws {
    guard let path = CommandLine.arguments.dropFirst().first else {
      print("usage: board-follower BOARD")
      return
    }
    for try await update in ClipBoard(path).updates {
      switch update {
      case .board(let board):
        print("\(board.canvases.count) canvases, \(board.canvases.count { $0.clip != nil }) with a clip")
      case .changes(let changes, let revision, _):
        for change in changes {
          print("\(revision): \(change.canvas ?? "board") \(change.key): \(change.old) → \(change.new)")
        }
      case .unreadable(let error): print(error)
      }
      fflush(nil)
    }
  }
}
