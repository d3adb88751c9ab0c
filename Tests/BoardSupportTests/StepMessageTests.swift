import BoardSupport
import CanvasModel
import Testing

@Suite("Words for steps")
struct StepMessageTests {
  @Test("A step is described with the canvas that it changed")
  func words() throws {
    var board = Board(columns: 2, rows: 1)
    let (first, added) = (board.canvases[0].id, CanvasID(number: 3))
    let steps: [(Event, String)] = [
      (.tap(first), "the tap on c1"), (.importClip(first, try #require(ClipFile(path: "a"))), "adding the clip to c1"),
      (.removeClip(first), "removing the clip of c1"), (.addCanvas(added), "adding the canvas named c3"),
      (.moveCanvas(added, to: 0), "moving the canvas named c3"), (.removeCanvas(added), "removing the canvas named c3"),
    ]
    for (event, words) in steps {
      _ = board.apply(event, at: .epoch)
      #expect(board.nextUndo?.message == words)
    }
    _ = board.apply(.undo, at: .epoch)
    #expect(board.nextRedo?.message == "removing the canvas named c3")
  }
}
