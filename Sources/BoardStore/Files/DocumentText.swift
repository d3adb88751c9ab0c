internal import CanvasModel

/// The text of a document, and where its parts are.
struct DocumentText: Sendable {
  /// The positions of parts that look as they would be written.
  struct Places: Sendable {
    /// The positions of the canvases, in board order; empty if they are not known.
    var canvases: [Range<Int>?] = []
    /// The transactions of the text with their positions, by revision.
    var transactions: [Int: (transaction: Transaction, place: Range<Int>)] = [:]
  }

  /// The largest text that is kept by the document that was read from it, in bytes; more would take too much memory.
  static let maximumKeptBytes = 8 << 20

  let bytes: [UInt8]
  private let places: Places

  init(bytes: [UInt8], places: Places = Places()) {
    (self.bytes, self.places) = (bytes, places)
  }

  /// The text of a canvas, if its place is known.
  func canvas(_ index: Int) -> ArraySlice<UInt8>? {
    guard places.canvases.indices.contains(index), let place = places.canvases[index] else { return nil }
    return bytes[place]
  }

  /// The text of a transaction, if its place is known and it is the same in this text.
  func transaction(_ transaction: Transaction) -> ArraySlice<UInt8>? {
    guard let known = places.transactions[transaction.revision], known.transaction == transaction else { return nil }
    return bytes[known.place]
  }

  /// The JSON of a transaction, if its place is known.
  func json(ofTransaction revision: Int) -> JSON? {
    places.transactions[revision].flatMap { try? JSON(parsing: Array(bytes[$0.place])) }
  }
}
