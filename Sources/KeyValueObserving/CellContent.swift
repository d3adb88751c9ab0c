/// What a cell draws: the part of a cell that a program writes.
///
/// A content is made once and shows many models, one after another. The cell calls it from whichever thread writes,
/// one call of ``draw(_:)`` at a time.
public protocol CellContent: Sendable {
  /// What it shows.
  associatedtype Model: Sendable

  /// The keys it draws, each once: a change of any other draws nothing.
  static var displayKeys: [ObservedKey<Model>] { get }

  /// Draws what has changed; at first everything.
  func draw(_ drawing: Drawing<Model>)

  /// Is told by the viewport that the cell comes into sight, before the first drawing.
  func willDisplay(at place: CellPlace)

  /// Is told by the viewport that the cell stays in sight and stands elsewhere: no key has changed, so nothing is drawn
  /// unless the content does it.
  func didMove(to place: CellPlace)

  /// Is told by the viewport that the cell went out of sight: nothing more is drawn of the former model.
  func didEndDisplaying()
}

extension CellContent {
  /// Does nothing.
  public func willDisplay(at place: CellPlace) {}

  /// Does nothing.
  public func didMove(to place: CellPlace) {}

  /// Does nothing.
  public func didEndDisplaying() {}
}

/// Where a cell stands in a grid.
public struct CellPlace: Hashable, Sendable {
  /// The position among all items, from 0.
  public let index: Int
  /// The row, from 0 at the first item; take off the row of the first visible item for that on the screen.
  public let row: Int
  /// The column, from 0.
  public let column: Int

  init(index: Int, columns: Int) {
    self.index = index
    row = index / columns
    column = index % columns
  }
}
