/// Canvases on one screen, at most one of which has the focus.
///
/// A board is a value that only ``apply(_:at:)`` and ``apply(_:)`` change. Times and names are passed in, so the same
/// events always produce the same board.
public struct Board: Hashable, Sendable {
  /// The number of transactions that changed something; 0 for a new board.
  public internal(set) var revision = 0
  /// The canvases, in order.
  public internal(set) var canvases: [Canvas]
  /// The state of the board as a whole.
  public internal(set) var session = Session.idle
  /// The newest transactions.
  public internal(set) var history = History()

  /// Creates a board whose canvases have the IDs `c1`, `c2` and so on.
  public init(regions: [Region]) {
    canvases = regions.enumerated().map { Canvas(id: CanvasID(number: $0 + 1), region: $1) }
  }

  /// Creates a board with a grid of canvases; see ``Region/grid(columns:rows:)``.
  public init(columns: Int, rows: Int) {
    self.init(regions: Region.grid(columns: columns, rows: rows))
  }

  /// Whether a recording is open, so that taps have no effect.
  public var isLocked: Bool { session.name.isLocked }

  /// The canvas with the given ID, if any.
  public subscript(id: CanvasID) -> Canvas? { index(of: id).map { canvases[$0] } }

  func index(of id: CanvasID) -> Int? { canvases.firstIndex { $0.id == id } }

  /// Updates a canvas, which must exist.
  mutating func update(_ id: CanvasID, _ body: (inout Canvas) -> Void) {
    guard let index = index(of: id) else { return }
    body(&canvases[index])
  }
}
