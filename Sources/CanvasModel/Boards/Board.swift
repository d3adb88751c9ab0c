/// Canvases on one screen; at most one has the focus.
///
/// A board is a value that only ``apply(_:at:)`` and ``apply(_:)`` change. Times and names are passed in, so the same
/// events always produce the same board.
package struct Board: Hashable, Sendable {
  /// The number of transactions that changed something; 0 for a new board.
  package internal(set) var revision = 0
  /// The canvases, in order.
  package internal(set) var canvases: [Canvas]
  /// The state of the board as a whole.
  package internal(set) var session = Session.idle
  /// The newest transactions.
  package internal(set) var history = History()
  /// The maximum side of the covers of the board, in pixels; `nil` for the largest that its regions can show.
  ///
  /// It is set when a board is created.
  package internal(set) var coverSide: Int?

  /// The maximum size of a board, in bytes: no event makes its document larger.
  package static let maximumBytes = 32 << 20

  /// The valid values of ``coverSide``.
  package static let coverSides = 1...16_384

  /// Creates a board whose canvases have the IDs `c1`, `c2` and so on.
  ///
  /// - Parameters:
  ///   - regions: The regions of the canvases.
  ///   - coverSide: The maximum side of covers, in pixels; `nil` for the largest that the regions can show.
  package init(regions: [Region], coverSide: Int? = nil) {
    canvases = regions.enumerated().map { Canvas(id: CanvasID(number: $0 + 1), region: $1) }
    self.coverSide = coverSide
  }

  /// Creates a board with a grid of canvases; see ``Region/grid(columns:rows:)``.
  package init(columns: Int, rows: Int) {
    self.init(regions: Region.grid(columns: columns, rows: rows))
  }

  /// The maximum side of a cover in pixels: ``coverSide``, or the longest side of a region on a screen of 3840 × 2160.
  package var effectiveCoverSide: Int {
    let sides = canvases.map { max($0.region.width * 3840, $0.region.height * 2160) }
    return coverSide ?? Int((sides.max() ?? 3840).rounded(.up))
  }

  /// Whether a recording is open, so that taps have no effect.
  package var isLocked: Bool { session.name.isLocked }

  /// The canvas with the given ID, if any.
  package subscript(id: CanvasID) -> Canvas? { index(of: id).map { canvases[$0] } }

  func index(of id: CanvasID) -> Int? { canvases.firstIndex { $0.id == id } }

  /// The size of the board in its document without the history, in bytes: an estimate that is never below the real size.
  package var estimatedBytes: Int { Size.of(self) }

  /// Forgets the oldest transactions until the size of the history is at most this many bytes.
  package mutating func trimHistory(to bytes: Int) { history.trim(to: bytes) }

  /// Forgets the transactions up to a revision; their steps cannot be undone or redone any more.
  package mutating func forgetHistory(upTo revision: Int) {
    history = History(history.transactions.filter { $0.revision > revision })
  }

  /// Gives some canvases a free place each, or arranges all canvases in a new grid if there is not enough room.
  package mutating func place(_ placeless: Set<CanvasID>) {
    guard !placeless.isEmpty else { return }
    var used = canvases.filter { !placeless.contains($0.id) }.map(\.region)
    var regions: [CanvasID: Region] = [:]
    for canvas in canvases where placeless.contains(canvas.id) {
      guard let region = Region.free(among: used) else { return arrangeInGrid() }
      regions[canvas.id] = region
      used.append(region)
    }
    for index in canvases.indices { canvases[index].region = regions[canvases[index].id] ?? canvases[index].region }
  }

  /// Arranges all canvases in a roughly square grid.
  mutating func arrangeInGrid() {
    for (index, region) in Region.squareGrid(of: canvases.count).enumerated() { canvases[index].region = region }
  }

  /// Updates a canvas, which must exist.
  mutating func update(_ id: CanvasID, _ body: (inout Canvas) -> Void) {
    guard let index = index(of: id) else { return }
    body(&canvases[index])
  }
}
