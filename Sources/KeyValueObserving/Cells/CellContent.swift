/// The part of a cell that an application implements: it draws the model.
///
/// A content is created once and shows many models, one after another. The cell calls it on whichever thread writes to
/// the model, or on the executor of its delivery, with one call of ``draw(_:)`` at a time.
public protocol CellContent: Sendable {
  /// The type of the models that the content shows.
  associatedtype Model: Sendable

  /// The keys that the content draws, each listed once. Changes of other keys draw nothing.
  static var displayKeys: [ObservedKey<Model>] { get }

  /// Draws what has changed; the first time, everything.
  func draw(_ drawing: Drawing<Model>)

  /// Called by the viewport when the cell is about to become visible, before the first drawing.
  func willDisplay(at place: CellPlace)

  /// Called by the viewport when the cell stays visible but moves. No key has changed, so nothing is drawn unless the
  /// content does so.
  func didMove(to place: CellPlace)

  /// Called by the viewport when the cell has gone out of view. Nothing more is drawn for the previous model.
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

/// The position of a cell in a grid.
public struct CellPlace: Hashable, Sendable {
  /// The index among all items, from 0.
  public let index: Int
  /// The row, from 0 at the first item.
  ///
  /// Subtract the row of the first visible item to get the row on the screen.
  public let row: Int
  /// The column, from 0.
  public let column: Int

  init(index: Int, columns: Int) {
    self.index = index
    row = index / columns
    column = index % columns
  }
}
