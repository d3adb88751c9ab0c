public import CanvasModel

extension Board {
  /// A name for the next take: unlike that of every other take of the board, as it holds the revision.
  public var nextTake: TakeID { Self.take("t\(revision + 1)") }

  /// The name of the open take, or one that is none, which the machine then tells.
  public var openTake: TakeID { session.take?.id ?? Self.take("none") }

  /// A name for the next canvas: the first of `c1`, `c2` and so on that is free, above all that were there.
  public var nextID: CanvasID {
    var number = canvases.count + 1
    while self[CanvasID(number: number)] != nil { number += 1 }
    return CanvasID(number: number)
  }

  private static func take(_ text: String) -> TakeID {
    guard let id = TakeID(text) else { preconditionFailure("the text is not empty") }
    return id
  }
}
