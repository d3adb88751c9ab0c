/// Canvases on one screen, one of which at most has the focus.
///
/// A value: ``apply(_:at:)`` is the only door, times and names come in as values, and the same events give the same board.
public struct Board: Hashable, Sendable {
  /// Counts the transactions that changed something; 0 for a new board.
  public internal(set) var revision = 0
  /// In order.
  public internal(set) var canvases: [Canvas]
  /// What the whole board is at.
  public internal(set) var session = Session.idle
  /// The newest transactions.
  public internal(set) var history = History()

  /// A new board; its canvases are named `c1`, `c2` and so on.
  public init(regions: [Region]) {
    canvases = regions.enumerated().map { Canvas(id: CanvasID(number: $0 + 1), region: $1) }
  }

  /// A new board with a grid of canvases; see ``Region/grid(columns:rows:)``.
  public init(columns: Int, rows: Int) {
    self.init(regions: Region.grid(columns: columns, rows: rows))
  }

  /// Whether a recording is open, so that taps do nothing.
  public var isLocked: Bool { session.name.isLocked }

  /// The canvas of a name.
  public subscript(id: CanvasID) -> Canvas? { index(of: id).map { canvases[$0] } }

  func index(of id: CanvasID) -> Int? { canvases.firstIndex { $0.id == id } }

  /// Does something with one canvas, which must be there.
  mutating func update(_ id: CanvasID, _ body: (inout Canvas) -> Void) {
    guard let index = index(of: id) else { return }
    body(&canvases[index])
  }
}
