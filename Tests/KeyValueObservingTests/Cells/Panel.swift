import KeyValueObserving
import Synchronization

/// A cell content that records its calls.
final class Panel: CellContent {
  static let displayKeys = [ObservedKey(\Numbers.first), ObservedKey(\Numbers.second, name: "second")]

  let calls = Record<String>()
  let onDraw: @Sendable (Drawing<Numbers>) -> Void

  init(onDraw: @escaping @Sendable (Drawing<Numbers>) -> Void = { _ in }) { self.onDraw = onDraw }

  func draw(_ drawing: Drawing<Numbers>) {
    let first = drawing.change(of: \.first).map { "first \($0.old.map { "\($0)" } ?? "-")→\($0.new)" }
    let second = drawing.change(of: \.second).map { "second \($0.old.map { "\($0)" } ?? "-")→\($0.new)" }
    calls.append("draw " + [first, second].compactMap(\.self).joined(separator: " "))
    onDraw(drawing)
  }

  func willDisplay(at place: CellPlace) { calls.append("will \(place.index) (\(place.row),\(place.column))") }

  func didMove(to place: CellPlace) { calls.append("move \(place.index)") }

  func didEndDisplaying() { calls.append("end") }
}
