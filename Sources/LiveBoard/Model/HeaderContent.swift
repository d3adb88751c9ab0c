internal import KeyValueObserving
internal import Synchronization

/// The content of the header: it keeps the newest status until the caller of ``BoardView/takeHeader()`` draws it.
final class HeaderContent: CellContent {
  static let displayKeys: [ObservedKey<BoardStatus>] = [
    ObservedKey(\.title, name: "title"),
    ObservedKey(\.canvasCount, name: "canvasCount"),
    ObservedKey(\.visible, name: "visible"),
    ObservedKey(\.covers, name: "covers"),
    ObservedKey(\.recordSeconds, name: "recordSeconds"),
    ObservedKey(\.isRemoving, name: "isRemoving"),
  ]

  private let pending = Mutex<BoardStatus?>(nil)

  func draw(_ drawing: Drawing<BoardStatus>) { mark(drawing.model) }

  /// Keeps a status to be drawn.
  func mark(_ status: BoardStatus) { pending.withLock { $0 = status } }

  /// Returns the status to draw, if any, once.
  func take() -> BoardStatus? { pending.withLock { $0.take() } }
}
