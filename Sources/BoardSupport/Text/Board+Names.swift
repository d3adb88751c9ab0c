package import CanvasModel

extension Board {
  /// The ID for the next take, which is unique within the board because it contains the revision.
  package var nextTake: TakeID { Self.take("t\(revision + 1)") }

  /// The ID of the open take, or a placeholder if no take is open, which the state machine then reports.
  package var openTake: TakeID { session.take?.id ?? Self.take("none") }

  /// The ID for the next canvas: the first unused one of `c1`, `c2` and so on, starting above the number of canvases.
  package var nextID: CanvasID {
    var number = canvases.count + 1
    while self[CanvasID(number: number)] != nil { number += 1 }
    return CanvasID(number: number)
  }

  private static func take(_ text: String) -> TakeID {
    guard let id = TakeID(text) else { preconditionFailure("the text is not empty") }
    return id
  }
}

extension Board {
  /// Returns a number of canvases in words, such as `1 canvas`.
  package static func count(_ canvases: Int) -> String { "\(canvases) canvas\(canvases == 1 ? "" : "es")" }
}
