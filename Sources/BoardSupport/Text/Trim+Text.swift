package import CanvasModel
internal import Covers

extension Trim {
  /// The part in words, such as `from 0.8 s to 12 s`.
  package var text: String {
    func seconds(_ time: Double) -> String { DecimalText.of(time, places: 0...3) + " s" }
    return "from \(seconds(from))" + (to.map { " to \(seconds($0))" } ?? "")
  }
}
