internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import SystemPackage

/// `clipcanvas board takes`.
struct TakesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "takes",
    abstract: "List the takes of canvases: the clips that they have and had.",
    usage: "clipcanvas board takes [<options>] [<canvas> ...]",
    discussion: """
      A clip that is replaced or removed remains a take of its canvas. 'clipcanvas board use' puts it on the canvas again, \
      and 'clipcanvas board forget' takes it out of the list. Each line has the canvas, the number of the take, its file, \
      length, size and time, and its state: 'in use', 'kept', or 'only in the history'. Undo or redo may need the file of a \
      take that is 'in the history', so 'clipcanvas board clean' leaves it.
      """
  )

  @Argument(help: "The canvases (default: all).") var canvases: [CanvasArgument] = []
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object for each take.") var json = false

  func run() throws {
    let (folder, board) = (board.file.folder, try board.read().board)
    if let unknown = canvases.map(\.id).first(where: { board[$0] == nil }) {
      throw CommandError(unknown: unknown, canvases: board.canvases.map(\.id))
    }
    let takes = board.listedTakes(of: canvases.isEmpty ? nil : Set(canvases.map(\.id)))
    guard !json else {
      for take in takes { Console.print(json: take.json(in: folder).line) }
      return
    }
    guard !takes.isEmpty else { return Console.print("no takes") }
    let rows = takes.map { $0.cells(in: folder) }
    let widths = rows[0].indices.map { column in rows.map { CellText.width($0[column]) }.max() ?? 0 }
    let texts = rows.map { row in
      zip(row, widths).dropLast().map { CellText.padded($0, to: $1 + 2) }.joined() + row[row.count - 1]
    }
    Console.print(lines: texts)
  }
}

extension ListedTake {
  /// The columns of a line.
  fileprivate func cells(in folder: FilePath) -> [String] {
    let when = clip.file.mtimeNanoseconds.flatMap { Instant(secondsSince1970: (Double($0) / 1e9).rounded(.down)) }
    let state = isInUse ? "in use" : isKept ? "kept" : "only in the history"
    let history = isInHistory && (isInUse || isKept) ? "in the history" : nil
    let parts = [state, clip.trim.map(\.text), history, fileState(in: folder).problem].compactMap(\.self)
    return [
      DisplayName.of(canvas), "\(clip.generation)", fileName,
      clip.file.durationSeconds.flatMap(FactText.duration) ?? "–",
      clip.file.bytes.map(FactText.bytes) ?? "–", when?.clockText ?? "–", parts.joined(separator: ", "),
    ]
  }

  fileprivate func json(in folder: FilePath) -> JSON {
    guard case .object(let object) = JSON(clip) else { preconditionFailure("a clip is an object") }
    let members: [(String, JSON)] = [
      ("canvas", .string(canvas.description)), ("isInUse", .bool(isInUse)), ("isKept", .bool(isKept)),
      ("isInHistory", .bool(isInHistory)), ("file", .string(fileState(in: folder).rawValue)), ("cover", JSON(cover)),
    ]
    return .object(JSONObject(object.members.map { ($0.key, $0.value) } + members))
  }
}

extension ListedTake.FileState {
  /// What is wrong with the file; `nil` if nothing is.
  fileprivate var problem: String? {
    switch self {
    case .unchanged: nil
    case .changed: "the file has changed"
    case .missing: "the file is missing"
    }
  }
}
