internal import CanvasModel

/// The clips, covers and regions that were read with unknown members.
///
/// They are collected from the canvases and the history, and looked up by their known members, so that a clip restored
/// by an undo keeps its unknown members.
struct KeptValues {
  private var values: [CanvasID: [Value: JSON]] = [:]

  /// - Parameter document: The document as it was read.
  init(_ document: JSONObject) {
    for canvas in Self.elements(document["canvases"]) {
      for key in Self.known.keys { keep(canvas[key.rawValue], key, of: canvas["id"]) }
    }
    for transaction in Self.elements(document["history"]) {
      for change in Self.elements(transaction["changes"]) {
        for value in [change["old"], change["new"]] {
          // Most values are plain strings.
          guard case .object = value, case .string(let name) = change["key"], let key = Key(rawValue: name) else {
            continue
          }
          keep(value, key, of: change["canvas"])
        }
      }
    }
  }

  /// Returns a value's JSON as it was read, or new JSON if the value was not read with unknown members.
  func json(_ value: Value, of canvas: CanvasID?) -> JSON {
    canvas.flatMap { values[$0]?[value] } ?? JSON(value)
  }

  private static let known: [Key: Set<String>] = [
    .clip: ["path", "bytes", "mtimeNanoseconds", "durationSeconds", "generation"],
    .cover: ["state", "path", "width", "height", "actualTime", "reason"],
    .region: ["x", "y", "width", "height"],
  ]

  private mutating func keep(_ json: JSON?, _ key: Key, of canvas: JSON?) {
    guard let json, case .object(let object) = json, let known = Self.known[key],
      object.members.contains(where: { !known.contains($0.key) }), case .string(let name) = canvas,
      let canvas = CanvasID(name), let value = try? JSONReader(json).value(of: key)
    else { return }
    values[canvas, default: [:]][value] = json
  }

  private static func elements(_ json: JSON?) -> [JSON] {
    guard case .array(let elements) = json else { return [] }
    return elements
  }
}
