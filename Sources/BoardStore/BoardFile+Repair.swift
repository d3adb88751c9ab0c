public import CanvasModel
internal import Files
internal import Glibc
public import SystemPackage

/// What a repair did.
public struct Repair: Sendable {
  /// What was wrong, in words.
  public let problem: String
  /// Where the file as it was is kept.
  public let copy: FilePath
  /// The board that was written.
  public let board: Board
}

extension BoardFile {
  /// Makes a board of what can be read of a damaged file.
  ///
  /// Canvases that can be read are kept with their clips and covers, in their order. The session becomes idle, a take that
  /// was open is given up, and the history starts anew. The file as it was is kept beside, under a free name.
  ///
  /// - Returns: `nil` when nothing is wrong.
  /// - Throws: ``BoardError/unreadable(_:)`` when no canvas can be read, or the file is missing, empty or of a newer
  ///   version; then nothing is touched.
  public func repair(lockTimeout: Duration = .seconds(5)) throws(BoardError) -> Repair? {
    try checkKind()
    let lock = try BoardLock(of: self, timeout: lockTimeout)
    removeLeftovers(after: lock)
    let problem: String
    do throws(BoardError) {
      let document = try read()
      guard document.schemaVersion <= BoardDocument.schemaVersion else {
        throw .unreadable(.newer(document.schemaVersion))
      }
      return nil
    } catch .unreadable(.corrupt(let what)) {
      problem = what
    }
    let damaged: [UInt8]
    do throws(UnreadableBoard) {
      damaged = try bytes()
    } catch {
      throw .unreadable(error)
    }
    guard let document = BoardDocument(salvaging: damaged) else { throw .unreadable(.corrupt(problem)) }
    let copy = try keep(damaged)
    try write(document.bytes)
    return Repair(problem: problem, copy: copy, board: document.board)
  }

  /// Keeps bytes beside the board, as `board.json.damaged` or with a number behind it.
  private func keep(_ bytes: [UInt8]) throws(BoardError) -> FilePath {
    var number = 1
    while true {
      let copy = path.derivingName(suffix: number == 1 ? ".damaged" : ".damaged-\(number)")
      do {
        let file = try FileDescriptor.open(
          copy,
          .writeOnly,
          options: [.create, .exclusiveCreate, .closeOnExec],
          permissions: .ownerReadWrite
        )
        try file.closeAfter {
          FileAccess(of: path)?.give(to: file)
          _ = try file.writeAll(bytes)
          guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
        return copy
      } catch let error as Errno where error == .fileExists {
        number += 1
      } catch {
        throw .failed(operation: "keep a copy in", path: copy, errno: error as? Errno ?? .ioError)
      }
    }
  }
}

extension BoardDocument {
  /// A document of what can be read; `nil` without a single canvas.
  init?(salvaging bytes: [UInt8]) {
    guard let json = JSON.salvaging(bytes) else { return nil }
    let reader = JSONReader(json)
    var canvases: [Snapshot.Canvas] = []
    for element in (try? reader.optional("canvases")?.elements()) ?? [] {
      guard let canvas = try? element.salvagedCanvas(), !canvases.contains(where: { $0.id == canvas.id }) else {
        continue
      }
      canvases.append(canvas)
    }
    guard !canvases.isEmpty else { return nil }
    // No number of a revision or generation may be used again.
    let used = canvases.compactMap { $0.clip?.generation } + [(try? reader.optional("revision")?.revision()) ?? 0]
    let snapshot = Snapshot(canvases: canvases, take: nil, session: .idle)
    let revision = min((used.max() ?? 0) + 1, BoardDocument.mostRevision)
    guard let board = try? Board(snapshot, revision: revision, history: History()) else { return nil }
    self.init(board)
  }
}

extension JSONReader {
  /// A canvas of which everything but the id may be wrong.
  fileprivate func salvagedCanvas() throws(ShapeError) -> Snapshot.Canvas {
    let clip = (try? optional("clip")?.clip()) ?? nil
    let cover = (try? optional("cover")?.cover()) ?? nil
    return Snapshot.Canvas(
      id: try member("id").canvasID(),
      isSelected: false,
      status: .noPreview,
      clip: clip,
      cover: clip == nil ? .none : cover.flatMap { $0 == .none ? nil : $0 } ?? .pending,
      region: (try? optional("region")?.region()) ?? .whole
    )
  }
}
